import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiProvider, type ConsoleApi } from "../api/index.ts";
import type { Goal } from "../goal/index.ts";
import { GoalLine } from "./goal-line.tsx";

async function shown(goal: Partial<Goal> | null): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(["runtime"], { features: { goals: { available: true, enabled: true } } });
  client.setQueryData(["goal", "one", "s 1"], { enabled: true, goal, plan: "" });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <GoalLine session="s 1" /> }),
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

const goal: Partial<Goal> = {
  ...{ status: "active" as const, phase: "driving" as const, paused: null, retry_at: null },
  ...{ iteration: 2, max_iterations: 8, condition: "The tests pass" },
};

test("a conversation with an active goal leads to it, with how far it is", async () => {
  const line = await shown(goal);
  expect(line).toMatch(/<a [^>]*href="\/work\/goals\/s%201"[^>]*>Goal: <span[^>]*>The tests pass/);
  expect(line).toContain("2 of 8");
  expect(line).toContain("Working");
});

test("a paused one says why, and where there is none or it has ended nothing is shown", async () => {
  expect(await shown({ ...goal, phase: "paused", paused: "round_cap" })).toContain(
    "A turn reached its number of tool rounds",
  );
  for (const none of [null, { ...goal, status: "met" } satisfies Partial<Goal>])
    expect(await shown(none)).not.toContain("Goal");
});
