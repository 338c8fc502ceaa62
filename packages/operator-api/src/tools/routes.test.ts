import { expect, it, vi } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { toolsRoutes } from "./routes.ts";

it("lists the tools as the agent has them (B35)", async () => {
  const tool = { name: "calculator", description: "Calculates.", source: "core", category: "general" } as const;
  const state = { enabled: false, deferred: false, blocked: false, operator_only: true, requires_approval: true };
  const list = { tools: [{ ...tool, ...state }], count: 0, disabled: ["calc*"] };
  const ask = askRoutes(toolsRoutes({ list: () => list, call: vi.fn() }));
  expect(await ask("GET", "/api/tools")).toMatchObject({ status: 200, body: list });
});
