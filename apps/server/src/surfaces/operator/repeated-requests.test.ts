/**
 * A request of the operator under an `Idempotency-Key` that a kill cut off between its work and its kept answer: sent
 * again to the next process it is answered as the first one was, and nothing is done twice (A15).
 */
import { expect, it } from "vitest";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../testing/test-service.ts";

const config = `
model: {name: "main:demo"}
providers: [{id: main, type: scripted}]
enforcement: {require_approval: [calculator]}
`;
interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly replayed: boolean;
}
/** A moment of a commit that fails as if the process had ended there. */
const cutOff: TestServiceOptions["failpoints"] = {
  hit(name) {
    if (name === "answer.keep:before") throw new Error("killed");
  },
};

async function request(at: TestService, method: string, path: string, sent: { body?: object; key?: string } = {}) {
  const response = await fetch(`${at.url}/api/${path}`, {
    method,
    headers: { "content-type": "application/json", ...(sent.key && { "idempotency-key": sent.key }) },
    ...(sent.body && { body: JSON.stringify(sent.body) }),
  });
  const replayed = response.headers.get("idempotency-replayed") === "true";
  return { status: response.status, body: (await response.json()) as Json, replayed } satisfies Answer;
}

it("is carried out once and answered alike, on every route that keeps answers", async () => {
  await using folders = disposable();
  const first = await startTestService({ config, failpoints: cutOff, folders: folders.all });
  const say = async (session: string, message: string): Promise<Json> =>
    (await request(first, "POST", "chat", { body: { message, session_id: session } })).body;
  for (const session of ["rewound", "forked", "again", "compacted"]) {
    await say(session, "one");
    await say(session, "two");
  }
  const turnsOf = async (at: TestService, session: string): Promise<Json[]> =>
    (await request(at, "GET", `chat/sessions/${session}/turns`)).body.turns as Json[];
  const kept = (await turnsOf(first, "rewound"))[1]?.task_id;
  const parked = await say("decided", '/call calculator {"expression": "1+1"}');
  expect(parked.state).toBe("input-required");
  const { body: issue } = await request(first, "POST", "tasks/issues", { body: { title: "to be closed" } });
  const { body: waiting } = await request(first, "POST", "inbox", { body: { text: "/say hello", priority: "later" } });

  const gateway = { id: "local", type: "compat-gateway", base_url: "http://127.0.0.1:9/v1" };
  const { revision } = (await request(first, "GET", "config")).body;
  const requests: readonly (readonly [path: string, body: object | undefined, differs?: readonly string[]])[] = [
    ["settings", { updates: { "model.top_k": 3 }, revision }, ["messages", "revision"]],
    ["config", { config: { model: { temperature: 0.3 } } }, ["messages", "revision"]],
    ["providers", gateway],
    ["tasks/issues", { title: "an issue" }],
    [`tasks/issues/${issue.issue.id}/close`, { reason: "done" }],
    ["inbox", { text: "/say later", priority: "later" }],
    ["inbox", { text: "/say now", priority: "now" }, ["item"]],
    [`inbox/${waiting.item.id}/deliver`, undefined],
    ["chat/sessions/rewound/rewind", { task_id: kept }],
    ["chat/sessions/forked/fork", { title: "Branch" }],
    ["chat/sessions/again/regenerate", {}],
    ["chat/sessions/compacted/compact", undefined],
    ["chat/sessions/forked/steer", { text: "/say steered" }, ["pending", "task_id"]],
    [`approvals/${parked.input_required.prompt_id}`, { decision: "approve" }, ["state"]],
    ["subagents/run", { prompt: "/say alone", type: "researcher" }],
    ["subagents/batch", { tasks: [{ prompt: "/say a" }, { prompt: "/say b" }] }],
  ];
  const send = async (at: TestService): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const [index, [path, body]] of requests.entries())
      answers.push(await request(at, "POST", path, { ...(body && { body }), key: `key-${index}` }));
    return answers;
  };
  const stateOf = async (at: TestService) => ({
    issues: (await request(at, "GET", "tasks/issues")).body.issues.length,
    items: (await request(at, "GET", "inbox?include_delivered=true&floor=later")).body.items.length,
    tasks: (await request(at, "GET", "a2a/tasks?limit=100")).body.tasks.length,
    sessions: (await request(at, "GET", "chat/sessions?limit=100")).body.sessions.length,
    rewound: (await turnsOf(at, "rewound")).length,
    again: (await turnsOf(at, "again")).length,
    providers: (await request(at, "GET", "providers")).body.providers.length,
  });
  const before = await send(first);
  expect(before.filter(({ status }) => status >= 300)).toEqual([]);
  await first.stop({ graceMs: 5_000 });

  await using second = await startTestService({ folders: folders.all });
  const then = await stateOf(second);
  const after = await send(second);
  const without = ({ status, body, replayed }: Answer, index: number) => {
    const shown = Object.entries(body).filter(([key]) => !requests[index]?.[2]?.includes(key));
    return { path: requests[index]?.[0], status, body: Object.fromEntries(shown), replayed };
  };
  expect(after.map(without)).toEqual(before.map(without));
  expect(await stateOf(second)).toEqual(then);
  const third = await send(second);
  expect(third.map(({ status, body, replayed }) => ({ status, body, replayed }))).toEqual(
    after.map(({ status, body }) => ({ status, body, replayed: true })),
  );
});

it("stays used for its 24 hours when the session of its task is deleted", async () => {
  await using running = await startTestService({ config });
  const message = { body: { message: "one", session_id: "gone" }, key: "of-a-deleted-one" };
  expect(await request(running, "POST", "chat", message)).toMatchObject({ status: 200 });
  expect(await request(running, "DELETE", "chat/sessions/gone")).toMatchObject({ status: 200 });
  expect(await request(running, "POST", "chat", message)).toMatchObject({
    status: 404,
    body: { detail: { code: "not_found" } },
  });
  expect(await request(running, "GET", "chat/sessions/gone")).toMatchObject({ status: 404 });
  const sent = { method: "message/send", params: { message: { role: "user", parts: [{ kind: "text", text: "x" }] } } };
  const a2a = async (): Promise<Json> => {
    const response = await fetch(`${running.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "a2a-deleted" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...sent }),
    });
    return (await response.json()) as Json;
  };
  const task = await a2a();
  await request(running, "DELETE", `chat/sessions/${task.result.contextId}`);
  expect((await a2a()).error).toMatchObject({ code: -32001 });
});

function disposable() {
  const all = temporaryFolders();
  return { all, [Symbol.asyncDispose]: () => Promise.resolve(all.remove()) };
}
