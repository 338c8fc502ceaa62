import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiProvider, type ConsoleApi } from "../api/index.ts";
import { ReadBoardLink } from "./read-board-link.tsx";

async function shown(issues: readonly { readonly id: string; readonly title: string }[]): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(["runtime"], { features: { tasks: { available: true, enabled: true } } });
  client.setQueryData(["board", "of-run", "s-1"], { issues });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <ReadBoardLink session="s-1" /> }),
    history: createMemoryHistory(),
  });
  await router.load();
  return renderToStaticMarkup(
    <ApiProvider api={{} as ConsoleApi}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ApiProvider>,
  );
}

test("a conversation that was begun for a card leads to it, and others show nothing", async () => {
  const of = await shown([{ id: "task-7", title: "Water the ferns" }]);
  expect(of).toMatch(/<a [^>]*href="\/work\/board\/task-7"[^>]*>Water the ferns<\/a>/);
  expect(await shown([])).not.toContain("board");
});
