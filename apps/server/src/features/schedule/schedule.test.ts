/** Scheduled jobs on the running service, as an operator and the agent meet them. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({});
});
afterAll(() => running.stop());

async function call(
  method: string,
  path: string,
  body?: object,
  on = running,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${on.url}/api/scheduler${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** Waits until no run of a job is open. */
async function ended(id: string, on = running): Promise<Json[]> {
  for (;;) {
    await on.service.core.features.schedule.opened.idle();
    const { runs } = (await call("GET", `/jobs/${id}/runs`, undefined, on)).body as { runs: Json[] };
    const open = runs.filter(({ state }) => state === "running");
    if (open.length === 0 && runs.length > 0) return runs;
    for (const { task_id } of open)
      if (task_id !== null) await (await on.service.core.tasks.get(task_id as string))?.settled();
  }
}

const daily = { prompt: "/say good morning", schedule: "0 7 * * 1-5", timezone: "Europe/Berlin" };

it("a job is made, read, changed, listed and removed; its ledger stays", async () => {
  const made = await call("POST", "/jobs", { ...daily, job_id: "morning" });
  expect(made).toMatchObject({
    status: 200,
    body: {
      job: {
        ...{ id: "morning", kind: "cron", words: "At 07:00, Monday through Friday", timezone: "Europe/Berlin" },
        ...{ enabled: true, pause_reason: null, context_id: "schedule:morning", fresh: true, overlap: "skip" },
        ...{ catch_up_s: 86_400, jitter_s: 0, retries: 2, created_by: "operator", last_run: null, workflow: null },
      },
    },
  });
  const next = (made.body.job as Json).next_fire as string;
  expect(new Date(next).getTime()).toBeGreaterThan(Date.now());
  expect(await call("PUT", "/jobs/morning", { schedule: "0 8 * * *" })).toMatchObject({
    body: { job: { words: "At 08:00", prompt: "/say good morning", timezone: "Europe/Berlin" } },
  });
  expect(await call("GET", "/jobs")).toMatchObject({
    body: { enabled: true, backend: "store", jobs: [{ id: "morning" }] },
  });
  const run = await call("POST", "/jobs/morning/run");
  expect(run).toMatchObject({
    status: 200,
    body: { run: { attempt: 1, state: "running", task_id: expect.any(String) } },
  });
  expect(await ended("morning")).toMatchObject([{ state: "completed", missed: null }]);
  expect((await call("GET", "/jobs/morning")).body).toMatchObject({ job: { last_run: { state: "completed" } } });
  expect(await call("DELETE", "/jobs/morning")).toEqual({ status: 200, body: { canceled: true } });
  expect((await call("GET", "/jobs/morning/runs")).body).toMatchObject({ runs: [{ state: "completed" }] });
  for (const [method, path] of [
    ["GET", "/jobs/morning"],
    ["PUT", "/jobs/morning"],
    ["DELETE", "/jobs/morning"],
    ["POST", "/jobs/morning/run"],
    ["GET", "/jobs/never-was/runs"],
  ] as const)
    expect((await call(method, path, method === "PUT" ? { enabled: false } : undefined)).status).toBe(404);
});

it("a datetime that just passed runs at once, and its turn is in the activity and in telemetry (G27)", async () => {
  const now = new Date().toISOString();
  await call("POST", "/jobs", { prompt: "/say now", schedule: now, job_id: "now" });
  expect(await ended("now")).toMatchObject([{ state: "completed", slot: now }]);
  expect((await call("GET", "/jobs/now")).body).toMatchObject({
    job: { enabled: false, kind: "once", next_fire: null },
  });
  const activity = (await (await fetch(`${running.url}/api/activity`)).json()) as { entries: Json[] };
  expect(activity.entries[0]).toMatchObject({ origin: "scheduler", trigger: "scheduler:now", state: "completed" });
  const turnsOf = async (): Promise<Json[]> =>
    ((await (await fetch(`${running.url}/api/telemetry/recent?limit=50`)).json()) as { turns: Json[] }).turns;
  const task_id = activity.entries[0]!.task_id;
  await expect.poll(turnsOf).toContainEqual(expect.objectContaining({ task_id, origin: "schedule" }));
});

it.each([
  ["six fields", { schedule: "0 0 7 * * *" }],
  ["a nickname", { schedule: "@daily" }],
  ["a time that never comes", { schedule: "0 0 31 2 *" }],
  ["an unknown zone", { timezone: "Mars/Olympus" }],
  ["a time long past", { schedule: "2020-01-01T00:00Z" }],
  ["an id with a blank", { job_id: "a b" }],
  ["a reserved id", { job_id: "watch-1" }],
  ["a check there is not", { only_if: { check: "core:none" } }],
  ["a check without its arguments", { only_if: { check: "core:url" } }],
  ["a check by a model", { only_if: { verifier: "llm" } }],
])("%s is refused with 400", async (_what, wrong) => {
  const { status, body } = await call("POST", "/jobs", { ...daily, ...wrong });
  expect([status, typeof body.detail]).toEqual([400, "string"]);
  expect(JSON.stringify(body)).not.toContain("Olympus");
});

it.each([
  ["no prompt", { prompt: " " }],
  ["a prompt of 2 MB", { prompt: "x".repeat(2_000_000) }],
  ["an overlap there is not", { overlap: "wait" }],
  ["a window of a year", { catch_up_s: 31_536_000 }],
  ["a workflow", { workflow: { name: "x" } }],
  ["a budget", { budget: { usd: 1 } }],
])("%s is refused with 422", async (_what, wrong) => {
  expect((await call("POST", "/jobs", { ...daily, ...wrong })).status).toBe(422);
});

it("the same job is not made twice; under one key it is the same job", async () => {
  const key = { method: "POST", headers: { "content-type": "application/json", "idempotency-key": "k1" } };
  const ask = async () => {
    const response = await fetch(`${running.url}/api/scheduler/jobs`, { ...key, body: JSON.stringify(daily) });
    return ((await response.json()) as { job: { id: string } }).job.id;
  };
  const id = await ask();
  expect(await ask()).toBe(id);
  // Names of zones are read in any case.
  expect(await call("POST", "/jobs", { ...daily, timezone: daily.timezone.toUpperCase() })).toMatchObject({
    status: 400,
    body: { detail: `The same job exists as ${id}.` },
  });
  await call("DELETE", `/jobs/${id}`);
});

it("a preview names the next times and what changes of clocks do; a calendar has what is due", async () => {
  const query = "schedule=30+2+*+*+*&timezone=Europe/Berlin&from=2027-03-27T00:00:00Z&n=2";
  expect((await call("GET", `/preview?${query}`)).body).toEqual({
    words: "At 02:30",
    next: ["2027-03-27T01:30:00.000Z", "2027-03-28T01:00:00.000Z"],
    notes: [{ at: "2027-03-28T01:00:00.000Z", effect: "moved", text: expect.stringContaining("does not exist") }],
  });
  expect((await call("GET", "/preview?schedule=61+*+*+*+*")).status).toBe(400);
  await call("POST", "/jobs", { ...daily, job_id: "dense", schedule: "* * * * *" });
  const { entries } = (await call("GET", "/calendar")).body as { entries: Json[] };
  expect(entries[0]).toMatchObject({ job_id: "dense", count: expect.any(Number) });
  expect((await call("GET", "/calendar?from=2027-01-01&to=2028-01-01")).status).toBe(400);
  await call("DELETE", "/jobs/dense");
});

it("the agent schedules, lists and cancels, and its jobs can be seen", async () => {
  const { core } = running.service;
  const say = async (text: string) => {
    const { answer } = await (await core.tasks.start({ context: "talk", text })).settled();
    return JSON.stringify(answer);
  };
  const wanted = { prompt: "look at the build", when: "0 9 * * *", timezone: "America/New_York" };
  const scheduled = await say(`/call schedule_task ${JSON.stringify(wanted)}`);
  const [id] = /job-[0-9a-f]{10}/.exec(scheduled)!;
  expect(scheduled).toMatch(/Scheduled job-[0-9a-f]{10}: At 09:00 \(America\/New_York\)\. Next: \d{4}-/);
  expect(await say(`/call schedule_task ${JSON.stringify(wanted)}`)).toContain(`Already scheduled as ${id}.`);
  expect(await say('/call schedule_task {"prompt": "x", "when": "noon"}')).toContain("Now it is 20");
  expect(await say("/call list_schedules {}")).toContain(`${id}: At 09:00 (America/New_York), next `);
  expect((await call("GET", `/jobs/${id}`)).body).toMatchObject({ job: { created_by: "agent" } });
  expect(await say(`/call cancel_schedule {"job_id": "${id}"}`)).toContain(`Canceled ${id}.`);
  expect(await say(`/call cancel_schedule {"job_id": "${id}"}`)).toContain("There is no scheduled job");
  const once = await say('/call schedule_task {"prompt": "/say back", "when": "2099-01-01T00:00Z"}');
  const [other] = /job-[0-9a-f]{10}/.exec(once)!;
  expect((await call("GET", `/jobs/${other}`)).body).toMatchObject({ job: { context_id: "talk", fresh: false } });
  await fetch(`${running.url}/api/chat/sessions/talk`, { method: "DELETE" });
  expect((await call("GET", `/jobs/${other}`)).status).toBe(404);
});

it("a turn that a job started sets no recurring job", async () => {
  const prompt = '/call schedule_task {"prompt": "again", "when": "* * * * *"}';
  await call("POST", "/jobs", { prompt, schedule: "0 0 1 1 *", job_id: "breeder" });
  await call("POST", "/jobs/breeder/run");
  const [run] = await ended("breeder");
  const task = await running.service.core.tasks.get(run!.task_id as string);
  expect(JSON.stringify(task?.view.answer)).toContain("started by scheduler:breeder");
  await call("DELETE", "/jobs/breeder");
});

it("switched off, nothing is changed or run, and what there is is listed", async () => {
  await using off = await startTestService({ config: "middleware: {scheduler: false}\n" });
  expect((await call("POST", "/jobs", daily, off)).status).toBe(503);
  expect((await call("GET", "/jobs", undefined, off)).body).toMatchObject({ enabled: false, backend: null, jobs: [] });
  const status = (await (await fetch(`${off.url}/api/runtime/status`)).json()) as Json;
  expect(status).toMatchObject({
    scheduler: { enabled: false, backend: null, jobs: 0 },
    middleware: { scheduler: false },
  });
});

it("another service runs the slots where one is named, once for each key, and a copy of the jobs is written", async () => {
  await using there = await startTestService({});
  const folder = join(running.folders.home, "copies");
  const env = { SCHEDULER_INVOKE_URL: there.url, SCHEDULER_DB_DIR: folder };
  await using here = await startTestService({ env });
  await call("POST", "/jobs", { ...daily, prompt: "/say from here", job_id: "far" }, here);
  await call("POST", "/jobs/far/run", undefined, here);
  const [run] = await ended("far", here);
  expect(run).toMatchObject({ state: "completed", task_id: expect.any(String) });
  expect((await there.service.core.tasks.get(run!.task_id as string))?.view).toMatchObject({ origin: "a2a" });
  const copy = JSON.parse(await readFile(join(folder, "jobs.json"), "utf8")) as { jobs: Json[] };
  expect(copy.jobs).toMatchObject([{ id: "far", prompt: "/say from here" }]);
});

it("a job from a conversation with content from outside marks the conversation of the service that runs it (G29)", async () => {
  await using there = await startTestService();
  await using here = await startTestService({ env: { SCHEDULER_INVOKE_URL: there.url } });
  for (const [id, outside] of [
    ["read", true],
    ["own", false],
  ] as const) {
    const { schedules } = here.service.core.features.schedule;
    await schedules.create({ id, prompt: `/say ${id}`, schedule: "0 9 * * *", createdBy: "agent", outside });
    await call("POST", `/jobs/${id}/run`, undefined, here);
    await ended(id, here);
  }
  const sql = "SELECT context, body FROM message WHERE kind = 'tainted'";
  const marks = await there.service.core.db.read({ sql, args: [] });
  expect(marks).toEqual([["schedule:read", expect.stringContaining("sender")]]);
});

it("a service that gives no answer leaves the run open, to be sent again under the same key", async () => {
  const keys: string[] = [];
  const asked = Promise.withResolvers<void>();
  const silent: Server = createServer((request, response) => {
    keys.push(String(request.headers["idempotency-key"]));
    response.statusCode = 503;
    response.end();
    asked.resolve();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as AddressInfo;
  try {
    await using here = await startTestService({ env: { SCHEDULER_INVOKE_URL: `http://127.0.0.1:${port}` } });
    await call("POST", "/jobs", { ...daily, job_id: "far" }, here);
    await call("POST", "/jobs/far/run", undefined, here);
    await asked.promise;
    const { runs } = (await call("GET", "/jobs/far/runs", undefined, here)).body as { runs: Json[] };
    expect(runs).toMatchObject([{ state: "running", task_id: null, started_at: expect.any(String) }]);
    expect(keys[0]).toMatch(/^schedule:far:.+:1$/);
  } finally {
    silent.close();
  }
});

it("a page that is watched costs no model call until it changes, and then one run (G8)", async () => {
  let page = "nothing new";
  const site: Server = createServer((_, response) => void response.end(page)).listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  const { port } = site.address() as AddressInfo;
  try {
    await using service = await startTestService({ config: "egress: {allowed_hosts: [127.0.0.1]}\n" });
    const url = `http://127.0.0.1:${port}/`;
    const only_if = { check: "core:url", check_args: { url, contains: "released" } };
    for (const [id, state] of [
      ["before", "skipped"],
      ["after", "completed"],
    ] as const) {
      const schedule = new Date().toISOString();
      const asked = { job_id: id, prompt: `/say ${id}`, schedule, only_if };
      expect((await call("POST", "/jobs", asked, service)).status).toBe(200);
      expect(await ended(id, service)).toMatchObject([{ state }]);
      page = "2.0 is released";
    }
  } finally {
    site.close();
  }
});
