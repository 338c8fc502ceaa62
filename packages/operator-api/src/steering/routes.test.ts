import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SteeringService, steeringRoutes } from "./routes.ts";

const service: SteeringService = {
  add: async (_session, { text, id = "minted" }) => ({ id, unread: text.length, task: undefined }),
  list: async () => [{ id: "a", text: "x" }],
  remove: async (_session, id) => ({ removed: id === "a", unread: 0 }),
};

const ask = askRoutes(steeringRoutes(service));
async function call(method: string, session: string, sent?: object) {
  const path = `/api/chat/sessions/${session}/steer${method === "DELETE" ? "/a" : ""}`;
  const { status, body } = await ask(method, path, sent);
  return { status, body };
}

it("answers what was accepted, what waits and what was withdrawn", async () => {
  expect((await call("POST", "s", { text: " ab " })).body).toEqual({
    ok: true,
    id: "minted",
    pending: 2,
    task_id: null,
  });
  expect((await call("GET", "s")).body).toEqual({ pending: [{ id: "a", text: "x" }] });
  expect((await call("DELETE", "s")).body).toEqual({ removed: true, pending: 0 });
});

it("refuses a blank message and a name of another kind", async () => {
  expect((await call("POST", "s", { text: "  " })).status).toBe(400);
  expect((await call("POST", "s", { text: "x", id: "a b" })).status).toBe(422);
});
