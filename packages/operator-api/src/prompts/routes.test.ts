import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type PromptsService, promptsRoutes } from "./routes.ts";

const CALL = {
  call_index: 1,
  task_id: "t1",
  ts: "2026-01-02T00:00:00.000Z",
  model: "m",
  reasoning_effort: null,
  system: { stable: "You are kind.", context: "", wire_differs: false, wire: "" },
  sections: [{ label: "Persona", chars: 13, approx_tokens: 4, scope: "stable" as const }],
  last_message: "m1",
  subagent_type: null,
  usage: null,
};
const MESSAGES = [{ id: "m1", prior: null, role: "user" as const, text: "Hello" }];
const RETENTION = {
  retention_days: 30,
  max_calls: 5000,
  calls: 1,
  oldest_ts: CALL.ts,
  newest_ts: CALL.ts,
  effective_days: 30,
  binding_cap: "retention_days" as const,
};

async function ask(path: string, more: Partial<PromptsService> = {}) {
  const service: PromptsService = {
    enabled: () => true,
    ofTask: async (task) =>
      task === "t1" ? { calls: [CALL], messages: MESSAGES, prev: "t0", subagents: [] } : undefined,
    last: async (session) => (session === undefined || session === "c1" ? CALL : undefined),
    retention: async () => RETENTION,
    ...more,
  };
  const { status, body } = await askRoutes(promptsRoutes(service))("GET", path);
  return { status, body };
}

it("returns the calls of a turn and the turn before; 404 where none is kept", async () => {
  expect(await ask("/api/prompts/t1")).toEqual({
    status: 200,
    body: { enabled: true, calls: [CALL], messages: MESSAGES, subagents: [], prev: "t0" },
  });
  expect((await ask("/api/prompts/nobody")).status).toBe(404);
});

it("returns the newest call, of a session if one is named, and what is kept", async () => {
  expect((await ask("/api/prompts/last")).body).toEqual({ enabled: true, call: CALL, retention: RETENTION });
  expect((await ask("/api/prompts/last?session_id=other")).body).toEqual({ enabled: true, retention: RETENTION });
});

it("reports that nothing is captured", async () => {
  const off = { enabled: () => false };
  expect(await ask("/api/prompts/last", off)).toEqual({ status: 200, body: { enabled: false } });
  expect(await ask("/api/prompts/t1", off)).toEqual({ status: 200, body: { enabled: false } });
});
