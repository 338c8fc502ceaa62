import { MutationCache, QueryCache, QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  type NotFoundRouteProps,
  RouterProvider,
  redirect,
} from "@tanstack/react-router";
import { type ReactElement, StrictMode, useMemo } from "react";
import { ApiProvider, type ConsoleApi, isFinal } from "../api/index.ts";
import { CommandsProvider } from "../commands/index.ts";
import { NoticesProvider } from "../notices/index.ts";
import { buttonClass, EmptyState, ErrorState, Page, SkeletonRows } from "../ui/index.ts";
import { Frame } from "./frame.tsx";
import { firstScreen, inRailOrder, type Screen } from "./screen.ts";
import { isRefused, TokenGate } from "./token-gate.tsx";

/** The console with these screens, in any order, under the path it is served at. */
export function Console({
  api,
  screens,
}: {
  readonly api: ConsoleApi;
  readonly screens: readonly Screen[];
}): ReactElement {
  const queries = useMemo(() => createQueries(api), [api]);
  const router = useMemo(() => createConsoleRouter(api, queries, inRailOrder(screens)), [api, queries, screens]);
  return (
    <StrictMode>
      <ApiProvider api={api}>
        <QueryClientProvider client={queries}>
          <NoticesProvider>
            <TokenGate>
              <CommandsProvider>
                <RouterProvider router={router} />
              </CommandsProvider>
            </TokenGate>
          </NoticesProvider>
        </QueryClientProvider>
      </ApiProvider>
    </StrictMode>
  );
}

function createQueries({ operator }: ConsoleApi): QueryClient {
  // A refused token is asked for again: the token gate around every screen reads the runtime status.
  const refused = (error: unknown): void => {
    if (isRefused(error)) void client.invalidateQueries({ queryKey: ["runtime"] });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== "runtime") refused(error);
      },
    }),
    mutationCache: new MutationCache({ onError: refused }),
    defaultOptions: {
      queries: {
        // Server events mark queries as stale; nothing is polled.
        staleTime: 60_000,
        retry: (failures, error) => failures < 2 && !isFinal(error),
      },
    },
  });
  // Every screen needs it: it is requested while the page renders for the first time.
  void client.prefetchQuery({ queryKey: ["runtime"], queryFn: () => operator.get("/api/runtime/status") });
  return client;
}

function NotFound(_: NotFoundRouteProps): ReactElement {
  return (
    <Page title="Not found">
      <EmptyState
        drawing="search"
        title="No such screen"
        action={
          <Link to="/" className={buttonClass({})}>
            Go to the first screen
          </Link>
        }
      >
        This service may not have that feature.
      </EmptyState>
    </Page>
  );
}

/** Resolves when the status was read, or cannot be; while the token is asked for, it is not known which screen is first. */
function statusRead(queries: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const observer = new QueryObserver(queries, { queryKey: ["runtime"], enabled: false });
    const look = ({ data, error }: { readonly data: unknown; readonly error: unknown }): boolean => {
      const isKnown = data !== undefined || (error !== null && !isRefused(error));
      if (isKnown) resolve();
      return isKnown;
    };
    if (look(observer.getCurrentResult())) return;
    const stop = observer.subscribe((result) => {
      if (look(result)) stop();
    });
  });
}

function createConsoleRouter(api: ConsoleApi, queries: QueryClient, screens: readonly Screen[]) {
  const root = createRootRoute({ component: () => <Frame screens={screens} />, notFoundComponent: NotFound });
  const home = createRoute({
    getParentRoute: () => root,
    path: "/",
    beforeLoad: async () => {
      await statusRead(queries);
      const first = await firstScreen(screens, api);
      const isPhone = !window.matchMedia("(min-width: 45rem)").matches;
      throw redirect({ to: (isPhone ? first?.startOnPhone : undefined) ?? `/${first?.id ?? ""}` });
    },
  });
  const router = createRouter({
    routeTree: root.addChildren([home, ...screens.flatMap(({ routes }) => routes(root))]),
    basepath: api.baseUrls.console,
    defaultPendingComponent: () => <SkeletonRows />,
    defaultErrorComponent: ({ error, reset }) => (
      <ErrorState title="This screen failed" error={error} onRetry={reset} />
    ),
    scrollRestoration: false,
  });
  // The code of the addressed screen, too; the router would request it only after the status arrived.
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const component = router.routesById[routeId as keyof typeof router.routesById]?.options.component;
    if (component !== undefined && "preload" in component) void component.preload?.();
  }
  return router;
}
