import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { codingAgentsRoutes } from "./routes.ts";

it("lists what was detected", async () => {
  const agents = [{ id: "a", label: "A", command: "a", args: ["acp"] }];
  const ask = askRoutes(codingAgentsRoutes({ detected: async () => agents }));
  expect((await ask("GET", "/api/acp-agents")).body).toEqual({ agents });
});
