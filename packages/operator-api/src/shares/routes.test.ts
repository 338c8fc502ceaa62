import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SharesService, sharesRoutes } from "./routes.ts";

const NOTHING = { tool_arguments: false, tool_results: false, reasoning: false, persona: false };

function routes(more: Partial<SharesService>) {
  const refused = (): never => {
    throw new Error("not asked");
  };
  return askRoutes(
    sharesRoutes({ preview: refused, add: refused, list: refused, remove: refused, state: () => "on", ...more }),
  );
}

it("shares a conversation or a run, for seven days and without anything ticked unless told otherwise", async () => {
  const added: unknown[] = [];
  const ask = routes({
    async add(target) {
      added.push(target);
      return { id: "s1", url: "http://agent.example/share/x", expires_at: "2026-01-01T00:00:00.000Z" };
    },
  });
  expect(await ask("POST", "/api/shares", { session_id: "a" })).toMatchObject({ status: 201, body: { id: "s1" } });
  await ask("POST", "/api/shares", { task_id: "t", expires_in_s: 60, include: { tool_results: true } });
  expect(added).toMatchObject([
    { of: { session: "a" }, expiresInS: 604_800, include: NOTHING },
    { of: { task: "t" }, expiresInS: 60, include: { ...NOTHING, tool_results: true } },
  ]);
});

it.each([
  ["neither a conversation nor a run", {}],
  ["both", { session_id: "a", task_id: "b" }],
  ["a longer life than 30 days", { session_id: "a", expires_in_s: 30 * 86_400 + 1 }],
  ["a life of no time", { session_id: "a", expires_in_s: 0 }],
  ["a tick that is not known", { session_id: "a", include: { everything: true } }],
  ["a list for an object", { session_id: "a", include: [] }],
  ["a blank id", { session_id: "" }],
])("refuses %s", async (_, body) => {
  expect((await routes({})("POST", "/api/shares", body)).status).toBe(422);
});

it("answers 404 for a share that is not there", async () => {
  const ask = routes({ remove: async (id) => id === "s1" });
  expect((await ask("DELETE", "/api/shares/s1")).body).toEqual({ ok: true });
  expect((await ask("DELETE", "/api/shares/s2")).status).toBe(404);
});
