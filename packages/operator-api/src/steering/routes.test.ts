import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SteeringService, steeringRoutes } from "./index.ts";

const service: SteeringService = {
  add: async (session, { text, id = "minted" }) =>
    session === "s" ? { id, pending: text.length, task: undefined } : undefined,
  list: async (session) => (session === "s" ? [{ id: "a", text: "x" }] : undefined),
  remove: async (session, id) => (session === "s" ? { removed: id === "a", pending: 0 } : undefined),
};

const ask = askRoutes(steeringRoutes(service));
async function call(method: string, session: string, sent?: object) {
  const path = `/api/chat/sessions/${session}/steer${method === "DELETE" ? "/a" : ""}`;
  const { status, body } = await ask(method, path, sent);
  return { status, body };
}

it("tells what was accepted, what waits and what was withdrawn", async () => {
  expect((await call("POST", "s", { text: " ab " })).body).toEqual({
    ok: true,
    id: "minted",
    pending: 2,
    task_id: null,
  });
  expect((await call("GET", "s")).body).toEqual({ pending: [{ id: "a", text: "x" }] });
  expect((await call("DELETE", "s")).body).toEqual({ removed: true, pending: 0 });
});

it("refuses a blank message, a name of another kind and a session that is not there", async () => {
  expect((await call("POST", "s", { text: "  " })).status).toBe(400);
  expect((await call("POST", "s", { text: "x", id: "a b" })).status).toBe(422);
  const missing = { status: 404, body: { detail: { code: "not_found", message: "There is no such session." } } };
  expect(await call("POST", "t", { text: "x" })).toEqual(missing);
  expect(await call("GET", "t")).toEqual(missing);
  expect(await call("DELETE", "t")).toEqual(missing);
});
