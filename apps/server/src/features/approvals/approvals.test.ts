/** The approvals inbox as an operator uses it (O3). */
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const SECRET = "inbox-secret-0123456789";
const config = `
auth: { token: operator-token-1, federation_token: peer-token-1 }
tracing: { secret_key: ${SECRET} }
enforcement: { require_approval: [calculator] }
`;
/** A tool that asks by itself, so a call of it can be approved for the future. */
const add = {
  name: "add",
  description: "Adds.",
  input: v.object({ a: v.number(), b: v.number() }),
  approval: () => ({ title: "Add?", detail: "" }),
  run: ({ a, b }: { readonly a: number; readonly b: number }) => `sum ${a + b}`,
};
let running: TestService;
const as = (token: string) => running.wireAs({ authorization: `Bearer ${token}` });
beforeAll(async () => {
  running = await startTestService({ config, tools: [add] });
});
afterAll(() => running.stop());

async function api(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/api/approvals${path}`, {
    method,
    headers: { authorization: "Bearer operator-token-1", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const calculate = (expression: string) =>
  as("operator-token-1").say(`/call calculator {"expression": "${expression}"}`);
const taskOf = (id: string) => as("operator-token-1").result("tasks/get", { id });
/** The task once it has ended or waits again. */
async function settled(id: string): Promise<Json> {
  await (await running.service.core.service.get(id))?.settled();
  return taskOf(id);
}

it("shows what waits on any surface, and takes a decision for it", async () => {
  const mine = await calculate("1+1");
  expect(mine.status.state).toBe("input-required");
  const theirs = await as("peer-token-1").say('/call ask_human {"question": "Which city?"}');
  const { body } = await api("GET", "");
  expect(body).toMatchObject({ pending: 2, next_cursor: null });
  expect(body.approvals).toMatchObject([
    { kind: "question", class: "federation", task_id: theirs.id, payload: { question: "Which city?" } },
    {
      ...{
        kind: "approval",
        class: "operator",
        origin: "a2a",
        task_id: mine.id,
        session_id: mine.contextId,
        parents: [],
      },
      // What the settings ask for is asked each time (F9).
      ...{ may_edit: true, may_remember: false },
      payload: { kind: "approval", title: "Calculate 1+1?", tool: "calculator", args: { expression: "1+1" } },
    },
  ]);
  const [question, approval] = body.approvals;
  expect(approval.payload.promptId).toBe(approval.id);
  const answered = await api("POST", `/${question.id}`, { decision: "answer", answer: "Rome" });
  expect(answered).toMatchObject({ status: 200, body: { id: question.id, task_id: theirs.id } });
  expect(textOf(await settled(theirs.id))).toContain("Rome");

  const edited = { decision: "approve", args: { expression: "2+2" } };
  expect(await api("POST", `/${approval.id}`, { ...edited, remember: true })).toMatchObject({ status: 400 });
  expect((await api("POST", `/${approval.id}`, edited)).body).toMatchObject({ session_id: mine.contextId });
  expect(textOf(await settled(mine.id))).toContain("4");
  expect(await api("POST", `/${approval.id}`, edited)).toMatchObject({ status: 409 });
  expect((await api("GET", "")).body).toMatchObject({ approvals: [], pending: 0 });
});

it("shows what waits in one conversation or task, and below it, apart from a peer's of the same name (A16)", async () => {
  const operator = as("operator-token-1");
  const call = '/call calculator {"expression": "9+9"}';
  const own = await operator.say(call, { contextId: "one" });
  expect(own.status.state).toBe("input-required");
  const theirs = await as("peer-token-1").say(call, { contextId: "one" });
  const delegated = { description: "add", prompt: call, subagent_type: "researcher" };
  const message = { contextId: "two" };
  const parent = await operator.say(`/call task ${JSON.stringify(delegated)}`, message, {
    configuration: { blocking: false },
  });
  const tasks = async (query: string): Promise<string[]> =>
    (await api("GET", query)).body.approvals.map((row: Json) => row.task_id);
  await expect.poll(() => tasks("?session_id=two")).toHaveLength(1);
  const [child = ""] = await tasks("?session_id=two");
  expect(child).not.toBe(parent.id);
  for (const query of [`?task_id=${parent.id}`, `?task_id=${child}`, `?session_id=two&task_id=${parent.id}`])
    expect(await tasks(query)).toEqual([child]);
  expect(await tasks("?session_id=one")).toEqual([own.id]);
  expect(await tasks(`?task_id=${theirs.id}`)).toEqual([theirs.id]);
  expect(await tasks(`?session_id=one&task_id=${parent.id}`)).toEqual([]);
  expect((await api("GET", "?session_id=three")).body).toMatchObject({ approvals: [], pending: 3 });
  for (const { id } of [own, theirs, parent]) await operator.result("tasks/cancel", { id });
});

it("shows a peer neither the arguments that the operator edited nor its note (A13)", async () => {
  const peer = as("peer-token-1");
  for (const decision of ["approve", "decline"]) {
    const parked = await peer.say('/call calculator {"expression": "3+3"}\n/then\n/say done');
    const [waiting] = (await api("GET", "")).body.approvals;
    const args = decision === "approve" ? { args: { expression: "70+7" } } : {};
    await api("POST", `/${waiting.id}`, { decision, note: "between us", ...args });
    await settled(parked.id);
    const stream = await peer.stream("tasks/resubscribe", { id: parked.id, metadata: { after: 1 } });
    const seen = JSON.stringify([await peer.result("tasks/get", { id: parked.id }), await stream.rest()]);
    expect(seen).not.toMatch(/between us|70\+7/);
    const own = JSON.stringify(await taskOf(parked.id));
    expect(own).toContain("between us");
  }
});

it("remembers exactly that call until the grant is revoked", async () => {
  const sum = (b: number) => as("operator-token-1").say(`/call add {"a": 2, "b": ${b}}`);
  const first = await sum(2);
  const [waiting] = (await api("GET", `?task_id=${first.id}`)).body.approvals;
  expect(waiting.may_remember).toBe(true);
  await api("POST", `/${waiting.id}`, { decision: "approve", remember: true });
  expect(textOf(await settled(first.id))).toContain("sum 4");
  expect(textOf(await sum(2))).toContain("sum 4");
  const { grants } = (await api("GET", "/grants")).body;
  expect(grants).toMatchObject([{ tool: "add", args: { a: 2, b: 2 }, class: "operator" }]);
  expect((await sum(3)).status.state).toBe("input-required");
  expect(await api("DELETE", `/grants/${grants[0].id}`)).toMatchObject({ status: 200, body: { revoked: true } });
  expect(await api("DELETE", `/grants/${grants[0].id}`)).toMatchObject({ status: 404 });
  expect((await sum(2)).status.state).toBe("input-required");
});

it("refuses what does not fit, names no secret, and leaves it waiting", async () => {
  const { id } = await calculate(SECRET);
  const { approvals } = (await api("GET", "?limit=1")).body;
  const [waiting] = approvals;
  expect(waiting.task_id).toBe(id);
  expect(JSON.stringify(approvals)).not.toContain(SECRET);
  for (const body of [
    { decision: "answer", answer: "yes" },
    { decision: "approve", args: { expression: 7 } },
  ])
    expect(await api("POST", `/${waiting.id}`, body)).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
  expect((await api("POST", `/${waiting.id}`, { decision: "perhaps" })).status).toBe(422);
  expect((await api("POST", "/prompt_never", { decision: "approve" })).status).toBe(404);
  expect((await taskOf(id)).status.state).toBe("input-required");
  await as("operator-token-1").result("tasks/cancel", { id });
  expect((await api("POST", `/${waiting.id}`, { decision: "approve" })).status).toBe(409);
});
