import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type ModelLanesService, type ModelsService, modelLanesRoutes, modelsRoutes } from "./routes.ts";

const asked: unknown[] = [];
const models: ModelsService & ModelLanesService = {
  async list(connection) {
    asked.push(connection);
    return { models: [], details: [], error: "", problem: null };
  },
  async test(connection) {
    asked.push(connection);
    return { ok: false, error: "no", problem: null, answer: null, tool_call: null };
  },
  findLocal: async () => ({ servers: [] }),
  lanes: () => ({ enabled: false }),
};
const ask = askRoutes([...modelsRoutes(models), ...modelLanesRoutes(models)]);

it("takes a body that is left out for a connection as it is saved", async () => {
  expect(await ask("POST", "/api/config/models")).toMatchObject({ status: 200, body: { models: [], error: "" } });
  expect(await ask("POST", "/api/config/test-model", { api_key: " k " })).toMatchObject({ status: 200 });
  const blank = { provider: "", api_base: "", api_key: "" };
  expect(asked).toEqual([blank, { ...blank, api_key: "k", model: "" }]);
});

it("refuses what cannot be a connection without repeating it", async () => {
  const { status, body } = await ask("POST", "/api/config/models", { api_key: { secret: "sk-1" } });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).not.toContain("sk-1");
});

it("answers only that lanes are off while they are (B46)", async () => {
  expect((await ask("GET", "/api/telemetry/llm-lanes")).body).toEqual({ enabled: false });
  expect((await ask("GET", "/api/config/models/local")).body).toEqual({ servers: [] });
});
