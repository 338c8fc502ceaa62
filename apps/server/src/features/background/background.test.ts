/** Background jobs on the running service, as an operator meets them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const CONFIG = "enforcement: {require_approval: [current_time]}\n";

let running: TestService;
const published: { topic: string; data: Json }[] = [];
const following = new AbortController();
beforeAll(async () => {
  running = await startTestService({ config: CONFIG });
  void (async () => {
    for await (const page of running.service.core.bus.follow(undefined, following.signal))
      for (const event of page) {
        const { topic, data } = JSON.parse(event.text) as { topic: string; data: Json };
        if (/^(?:background|session)\./.test(topic)) published.push({ topic, data });
      }
  })();
});
afterAll(() => {
  following.abort();
  return running.stop();
});

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/api/background${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const work = (prompt: string) => ({ description: prompt.slice(0, 20), prompt, subagent_type: "researcher" });

/** Asks the agent, in a session, to leave work to jobs. */
async function spawn(session: string, prompts: readonly string[]): Promise<string[]> {
  const { core } = running.service;
  const text = `/call task_batch ${JSON.stringify({ tasks: prompts.map(work), run_in_background: true })}`;
  const task = await core.tasks.start({ context: session, text });
  const { answer } = await task.settled();
  const report = JSON.stringify(answer);
  expect(report).toContain(
    prompts.length === 1 ? "has started. Do not wait for it:" : "have started. Do not wait for them:",
  );
  return report.match(/bg-[0-9a-f]{12}/g)!.slice(0, prompts.length);
}

/** Waits until all background work has ended. */
async function rest(): Promise<void> {
  const { core } = running.service;
  const { background } = core.features;
  for (;;) {
    await background.idle();
    const open = await Promise.all((await core.journal.openTaskIds()).map((id) => core.tasks.get(id)));
    const busy = open.filter((task) => task !== undefined && task.view.state !== "parked");
    if (busy.length === 0) return background.idle();
    await Promise.race(busy.map((task) => task!.settled()));
  }
}

it("three jobs of one turn run, and one turn of the session reads their reports", async () => {
  const ids = await spawn("s1", ["/say the first", "/fail 400", "/say the third"]);
  expect(new Set(ids).size).toBe(3);
  await rest();
  const { body } = await call("GET", "?session=s1");
  const rows = body.jobs as Json[];
  const statusOf = Object.fromEntries(rows.map(({ id, status }) => [id as string, status]));
  expect(statusOf).toEqual({ [ids[0]!]: "completed", [ids[1]!]: "failed", [ids[2]!]: "completed" });
  const deliveries = new Set(rows.map(({ delivery_task_id }) => delivery_task_id));
  expect(deliveries.size).toBe(1);
  const turn = (await running.service.core.tasks.get([...deliveries][0] as string))!;
  expect(turn.view).toMatchObject({ context: "s1", origin: "background", state: "completed" });
  const history = JSON.stringify(turn.view.history);
  for (const part of [...ids, "the first", "the third", "failed"]) expect(history).toContain(part);
  const first = await call("GET", `/${ids[0]}`);
  expect(first.body).toMatchObject({ status: "completed", result: "the first", notified: true, origin_session: "s1" });
  const child = (await running.service.core.tasks.get(first.body.a2a_task_id as string))!;
  expect(child.view).toMatchObject({ role: "researcher", parent: { task: first.body.origin_task_id } });
  const topics = published.filter(({ data }) => data.job_id === ids[0]).map(({ topic }) => topic);
  expect(new Set(topics)).toEqual(new Set(["background.changed", "background.started", "background.completed"]));
  await running.service.core.feed.idle();
  const sessions = published.filter(({ topic }) => topic === "session.changed").map(({ data }) => data.session_id);
  // Not the conversations of jobs: lists leave those out.
  expect(new Set(sessions)).toEqual(new Set(["s1"]));
});

it("a job that needs an approval parks, is answered, and ends", async () => {
  const [id] = await spawn("s2", ["/call current_time {}\n/then\n/say knows the time"]);
  await rest();
  const { body } = await call("GET", `/${id}`);
  expect(body).toMatchObject({ status: "running", completed_at: null });
  await running.service.core.tasks.answer(body.a2a_task_id as string, { answer: "approve" });
  await rest();
  expect((await call("GET", `/${id}`)).body).toMatchObject({
    status: "completed",
    result: "knows the time",
    notified: true,
  });
});

it("no turn of the session reads a report while background.auto_resume is off, from the next job on", async () => {
  const configure = (config: string) => {
    running.folders.configure(config);
    expect(running.live.reload()).toMatchObject({ ok: true, changed: ["background.auto_resume"] });
  };
  const readerOf = async (prompt: string): Promise<unknown> => {
    const [id] = await spawn("s7", [prompt]);
    await rest();
    const { body } = await call("GET", `/${id}`);
    expect(body).toMatchObject({ status: "completed" });
    return body.delivery_task_id;
  };
  configure(`${CONFIG}background: { auto_resume: false }\n`);
  expect(await readerOf("/say unread")).toBeNull();
  configure(CONFIG);
  expect(await readerOf("/say read")).toEqual(expect.any(String));
});

it("a canceled job is not reported; what has ended is cleared from the list, and deleted", async () => {
  const [id] = await spawn("s3", ["/wait 60000"]);
  expect(await call("DELETE", `/${id}`)).toMatchObject({ status: 409 });
  expect((await call("POST", `/${id}/cancel`)).body).toMatchObject({ ok: true, status: "canceled" });
  expect((await call("POST", `/${id}/cancel`)).body).toMatchObject({ ok: false, status: "canceled" });
  await rest();
  expect((await call("GET", `/${id}`)).body).toMatchObject({
    status: "canceled",
    result: null,
    delivery_task_id: null,
  });
  expect((await call("GET", "?status=canceled&limit=1")).body).toMatchObject({ enabled: true, jobs: [{ id }] });
  expect((await call("POST", "/clear", { session: "s3" })).body).toEqual({ ok: true, cleared: 1 });
  await expect
    .poll(() => published.findLast(({ topic }) => topic.startsWith("background."))?.data)
    .toEqual({ origin_session: "s3", cleared: 1 });
  expect((await call("GET", "?session=s3")).body).toMatchObject({ jobs: [], next_cursor: null });
  expect((await call("GET", `/${id}`)).body).toMatchObject({ dismissed: true });
  expect((await call("DELETE", `/${id}`)).body).toEqual({ ok: true, deleted: true });
  expect([(await call("GET", `/${id}`)).status, (await call("GET", "/x")).status]).toEqual([404, 400]);
  expect((await call("GET", "?status=waiting")).status).toBe(400);
});

it("a session that is deleted takes its jobs along, running or done, with their own conversations (O8)", async () => {
  const [done, hangs] = await spawn("s6", ["/say never read", "/wait 60000"]);
  while ((await call("GET", `/${done}`)).body.status === "running")
    await running.service.core.features.background.idle();
  const child = (await call("GET", `/${hangs}`)).body.a2a_task_id as string;
  const removed = await fetch(`${running.url}/api/chat/sessions/s6`, { method: "DELETE" });
  expect(removed.status).toBe(200);
  await rest();
  expect((await call("GET", "?session=s6")).body.jobs).toEqual([]);
  expect([(await call("GET", `/${done}`)).status, (await call("GET", `/${hangs}`)).status]).toEqual([404, 404]);
  expect(await running.service.core.tasks.get(child)).toBeUndefined();
  const sessions = await (await fetch(`${running.url}/api/chat/sessions?limit=100`)).text();
  for (const id of [done, hangs, "s6"]) expect(sessions).not.toContain(id);
});

it("the agent stops a job of its own session, and no other's", async () => {
  const [id] = await spawn("s4", ["/wait 60000"]);
  const stop = async (session: string): Promise<string> => {
    const text = `/call stop_task ${JSON.stringify({ job_id: id })}`;
    const task = await running.service.core.tasks.start({ context: session, text });
    return JSON.stringify((await task.settled()).answer);
  };
  expect(await stop("s5")).toContain("no background job");
  expect(await stop("s4")).toContain(`Background job ${id} is canceled.`);
});
