/** Sessions as a whole over the operator API: rewind, fork, regenerate, compact, delete (O8; EN7). */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const CONFIG = `
model: {name: "main:demo"}
providers: [{id: main, type: scripted}]
`;
let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG });
});
afterAll(() => running.stop());

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${running.url}/api/${path}`, { method, ...sent });
  return { status: response.status, body: (await response.json()) as Json };
}

async function say(session: string, message: string): Promise<Json> {
  const answer = await call("POST", "chat", { message, session_id: session });
  expect(answer.status).toBe(200);
  return answer.body;
}

const turns = async (session: string): Promise<Json[]> => {
  const { body } = await call("GET", `chat/sessions/${session}/turns`);
  return body.turns as Json[];
};

it("goes back, branches off and asks again", async () => {
  const one = await say("edits", "one");
  await say("edits", "two");
  const fork = await call("POST", "chat/sessions/edits/fork", { task_id: one.task_id, title: "Branch" });
  expect(fork).toMatchObject({ status: 201, body: { title: "Branch", turn_count: 1, last_state: "completed" } });
  await say(fork.body.session_id, "three");
  expect((await turns(fork.body.session_id)).map(({ history }) => history[0].text)).toEqual(["three", "one"]);
  expect((await turns("edits")).map(({ history }) => history[0].text)).toEqual(["two", "one"]);
  const again = await call("POST", "chat/sessions/edits/regenerate");
  expect(again.status).toBe(202);
  const turn = (await running.service.core.tasks.get(again.body.task_id))!;
  expect((await turn.settled()).state).toBe("completed");
  expect((await turns("edits")).map(({ task_id, history }) => [task_id, history[0].text])).toEqual([
    [again.body.task_id, "two"],
    [one.task_id, "one"],
  ]);
  const back = await call("POST", "chat/sessions/edits/rewind", { task_id: one.task_id });
  expect(back.body).toEqual({ ok: true, removed: 1 });
  expect(await turns("edits")).toHaveLength(1);
  expect((await call("GET", "chat/sessions/edits")).body).toMatchObject({ turn_count: 1 });
  expect((await call("POST", "chat/sessions/edits/compact")).body).toMatchObject({ compacted: false, summarised: 0 });
  const missing = [
    await call("POST", "chat/sessions/edits/rewind", { task_id: "nope" }),
    await call("POST", "chat/sessions/nowhere/fork", {}),
    await call("POST", "chat/sessions/nowhere/compact"),
    await call("DELETE", "chat/sessions/nowhere"),
  ];
  for (const { status, body } of missing) expect([status, body.detail.code]).toEqual([404, "not_found"]);
  expect((await call("POST", "chat/sessions/edits/regenerate", { model: "unknown:x" })).status).toBe(400);
});

it("keeps the former answer when a message is asked again or changed, and names both at their turn", async () => {
  const one = await say("versions", "one");
  await say("versions", "two");
  const added = await call("POST", "chat/sessions/versions/versions", { task_id: one.task_id, text: "uno" });
  expect(added.status).toBe(202);
  const { session_id, task_id } = added.body;
  await (await running.service.core.tasks.get(task_id))!.settled();
  const places = [
    { session_id: "versions", task_id: one.task_id },
    { session_id, task_id },
  ];
  expect((await turns(session_id)).map(({ history, versions }) => [history[0].text, versions])).toEqual([
    ["uno", places],
  ]);
  expect((await turns("versions")).map(({ history, versions }) => [history[0].text, versions])).toEqual([
    ["two", undefined],
    ["one", places],
  ]);
  const { body: record } = await call("GET", `chat/sessions/${session_id}`);
  expect(record).toMatchObject({ version_of: "versions", latest_version: session_id });
  const { body: list } = await call("GET", "chat/sessions");
  expect(list.sessions.map((session: Json) => session.session_id)).not.toContain(session_id);
  const fork = await call("POST", `chat/sessions/${session_id}/fork`);
  expect(fork.body).toMatchObject({ forked_from: { session_id: "versions", task_id, title: "one" } });
  const unknown = { task_id: one.task_id, model: "unknown:x" };
  expect((await call("POST", "chat/sessions/versions/versions", unknown)).status).toBe(400);
  expect((await call("POST", "chat/sessions/versions/versions", { task_id: "nope" })).status).toBe(404);
});

it("deletes a session whose turn runs with everything of it but its numbers", async () => {
  await say("doomed", "hello");
  const task = await running.service.core.service.start({
    ...{ class: "operator", context: "doomed", origin: "chat" },
    input: { messageId: "m", parts: [{ kind: "text", text: "/wait 60000" }] },
  });
  const busy = await call("POST", "chat/sessions/doomed/regenerate");
  expect(busy.status).toBe(409);
  await running.service.core.feed.idle();
  const { body: before } = await call("GET", "telemetry/summary");
  const deletion = await call("DELETE", "chat/sessions/doomed?harvest=true");
  expect(deletion.body).toEqual({
    deleted: true,
    harvested: false,
    retired: true,
    forgotten: null,
    kept: { skills: [], facts: 0 },
  });
  expect(task.view.state).toBe("canceled");
  for (const path of ["", "/turns", "/export", "/steer"]) {
    expect((await call("GET", `chat/sessions/doomed${path}`)).status).toBe(404);
  }
  expect((await call("GET", "prompts/last?session_id=doomed")).body).not.toHaveProperty("call");
  expect((await call("GET", `prompts/${task.id}`)).status).toBe(404);
  const { body: after } = await call("GET", "telemetry/summary");
  expect(after.summary.turns).toBe(before.summary.turns + 1);
  expect((await call("GET", "chat/sessions")).body.sessions.map(({ session_id }: Json) => session_id)).not.toContain(
    "doomed",
  );
});

it("clears a session that keeps its id and title", async () => {
  await say("kept", "hello");
  await call("PATCH", "chat/sessions/kept", { title: "Kept" });
  expect((await call("DELETE", "chat/sessions/kept?retire=false")).body).toMatchObject({ retired: false });
  expect((await call("GET", "chat/sessions/kept")).body).toMatchObject({ title: "Kept", turn_count: 0 });
});
