import { inMatchingOrder, mountRoute, type RoutePorts, type ServedRoute } from "../route/index.ts";

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON, else the text; undefined for none. */
  readonly body: unknown;
}

/** Asks routes without a server between: `ask("POST", "/api/things", { name: "n" })`. */
export type AskRoutes = (
  method: string,
  path: string,
  body?: unknown,
  headers?: { readonly [name: string]: string },
) => Promise<TestAnswer>;

/** Mounts routes for a test. An answer that does not fit its definition throws. */
export function askRoutes(routes: readonly ServedRoute[], ports: Partial<RoutePorts> = {}): AskRoutes {
  const rows = inMatchingOrder(
    routes.map((route) =>
      mountRoute(route, {
        readJson: (text) => ({ ok: true, value: JSON.parse(text) as unknown }),
        redact: (text) => text,
        onMisfit(misfit) {
          throw new Error(misfit);
        },
        ...ports,
      }),
    ),
  );
  return async (method, path, body, headers = {}) => {
    const request = new Request(`http://agent.test${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    });
    const { pathname } = new URL(request.url);
    for (const row of rows) {
      const match = new RegExp(`^${row.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(pathname);
      if (match === null || row.method !== method) continue;
      const param = (name: string): string => decodeURIComponent(match.groups?.[name] ?? "");
      const response = await row.handle({ request, caller: "operator", param });
      return { status: response.status, headers: response.headers, body: readBody(await response.text()) };
    }
    throw new Error(`nothing serves ${method} ${pathname}`);
  };
}

function readBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
