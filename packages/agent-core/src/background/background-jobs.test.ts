import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { answerText, coreBench, textInput } from "../core-bench.ts";
import type { AgentEngine } from "../create-agent-core.ts";
import { askHuman } from "../general-tools/index.ts";
import type { ModelRequest } from "../model/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import { BackgroundJobs, type BackgroundOptions, isJobId } from "./index.ts";

const bench = coreBench();
const open: BackgroundJobs[] = [];
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.close();
  await bench.end();
});
afterAll(() => bench.remove());

const request = (prompt: string) => ({ subagentType: "researcher", description: `about ${prompt}`, prompt });

function lastText({ messages }: ModelRequest): string {
  return JSON.stringify(messages.at(-1));
}

/** A job's prompt decides what it does; any other request is a turn of a session. */
function played(request: ModelRequest): ScriptedTurn {
  const asked = lastText(request);
  if (asked.includes("that you started")) return "Noted.";
  if (asked.includes("hang")) return [{ hang: true }];
  if (asked.includes("fail")) return [{ fail: new Error("broken") }];
  if (asked.includes("ask")) return [{ call: { name: "ask_human", args: { question: "?" } } }];
  if (asked.includes("report ")) return asked.match(/report \w+/)![0];
  return "Noted.";
}

interface Scene {
  readonly core: AgentEngine;
  readonly jobs: BackgroundJobs;
  readonly model: ReturnType<typeof scriptedModel>;
  /** Topics published so far, without their prefix. */
  readonly changes: readonly string[];
  /** A turn of session `s` that has ended, to spawn from. */
  spawner(options?: object, origin?: "chat" | "background"): Promise<string>;
  /** The turns of session `s` that read reports. */
  deliveries(): Promise<readonly { id: string; state: string; text: string }[]>;
}

async function scene(
  more: Partial<BackgroundOptions> & { store?: string; play?: (request: ModelRequest) => ScriptedTurn } = {},
): Promise<Scene> {
  const { store, play = played, ...options } = more;
  const { clock, onRestart = "resume" } = options;
  const model = scriptedModel(play);
  const core = await bench.start({
    ...{ model, tools: [askHuman], onRestart },
    ...(clock && { clock }),
    ...(store && { store }),
  });
  const changes: string[] = [];
  const jobs = new BackgroundJobs({
    ...{ db: core.db, journal: core.journal, service: core.service },
    clock: clock ?? { now: () => Date.now(), setTimeout: () => ({ cancel() {} }) },
    launch: ({ class: caller, context, prompt }, alongside) =>
      core.service.start({
        ...{ class: caller, context, origin: "background", input: textInput(prompt), alongside },
        options: { unattended: true },
      }),
    settings: () => ({ auto_resume: true }),
    onRestart,
    bus: { publish: (topic) => void changes.push(topic.replace("background.", "")) },
    log: { warn: () => {} },
    ...options,
  });
  await jobs.recover();
  jobs.start();
  open.push(jobs);
  return {
    ...{ core, jobs, model, changes },
    async spawner(options = {}, origin = "chat") {
      const task = await core.service.start({
        class: "operator",
        context: "s",
        origin,
        input: textInput("hello"),
        options,
      });
      await task.settled();
      return task.id;
    },
    async deliveries() {
      const sql = `SELECT task.id, task.state, event.body FROM task JOIN event ON event.task = task.id AND event.seq = 1
        WHERE task.context = 's' AND event.body LIKE '%background_jobs%' ORDER BY task.id`;
      const rows = await core.db.read({ sql, args: [] });
      return rows.map(([id, state, body]) => ({ id: String(id), state: String(state), text: String(body) }));
    },
  };
}

/** Everything that can happen by itself has happened. */
async function rest({ core, jobs }: Pick<Scene, "core" | "jobs">): Promise<void> {
  for (;;) {
    await jobs.idle();
    const ids = await core.journal.openTaskIds();
    const handles = await Promise.all(ids.map((id) => core.tasks.get(id)));
    const busy = handles.filter((task) => task !== undefined && task.view.state !== "parked");
    if (busy.length === 0) return jobs.idle();
    await Promise.race(busy.map((task) => task!.settled()));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("background jobs", () => {
  test("run beside the turn, and one turn of its session reads all their reports, once (BJ1 to BJ3)", async () => {
    const here = await scene();
    const task = await here.spawner();
    const ids = await here.jobs.spawn({ task, call: "c1", outside: false }, [
      request("report one"),
      request("fail"),
      request("report two"),
    ]);
    expect(ids.every(isJobId)).toBe(true);
    expect(await here.jobs.spawn({ task, call: "c1", outside: false }, [request("report one")])).toEqual([ids[0]]);
    await rest(here);
    const jobs = await Promise.all(ids.map((id) => here.jobs.get(id)));
    expect(jobs.map((job) => [job?.status, job?.result])).toEqual([
      ["completed", "report one"],
      ["failed", "The model call failed."],
      ["completed", "report two"],
    ]);
    const read = await here.deliveries();
    expect(read).toMatchObject([{ state: "completed" }]);
    for (const part of [...ids, "report one", "It failed: The model call failed.", "report two", "about fail"])
      expect(read[0]?.text).toContain(part);
    expect(jobs.map((job) => [job?.delivery, job?.deliveredAt !== undefined])).toEqual(
      ids.map(() => [read[0]?.id, true]),
    );
    expect([here.jobs.load, here.model.calls.length]).toEqual([0, 5]);
    expect(here.changes.toSorted()).toEqual([
      ...Array<string>(15).fill("changed"),
      ...Array<string>(3).fill("completed"),
      ...Array<string>(3).fill("started"),
    ]);
    const view = (await here.core.tasks.get(jobs[0]!.task!))!.view;
    expect(view).toMatchObject({ class: "operator", context: `background:${ids[0]}`, origin: "background" });
  });

  test("a job's start is published before later events of its task, however slow the store reads", async () => {
    const here = await scene();
    const task = await here.spawner();
    const seen: string[] = [];
    const ended = Promise.withResolvers<void>();
    here.core.journal.onCommit(({ view }) => {
      if (view.origin !== "background" || view.state !== "completed" || !view.context.startsWith("background:")) return;
      seen.push(...here.changes, "ended");
      ended.resolve();
    });
    const read = here.core.db.read.bind(here.core.db);
    let started = false;
    here.core.journal.onCommit(({ view }) => {
      started ||= view.context.startsWith("background:");
    });
    vi.spyOn(here.core.db, "read").mockImplementation(async (statement, how) => {
      if (started && statement.sql.includes("FROM background_job")) await ended.promise;
      return read(statement, how);
    });
    await here.jobs.spawn({ task, call: "c1", outside: false }, [request("report one")]);
    await ended.promise;
    await rest(here);
    vi.restoreAllMocks();
    expect(seen).toEqual(["changed", "started", "changed", "ended"]);
  });

  test("three run at a time and the rest waits; a canceled one is not reported, and too many are refused", async () => {
    const here = await scene();
    const task = await here.spawner();
    const ids = await here.jobs.spawn(
      { task, call: "c1", outside: false },
      Array.from({ length: 5 }, () => request("hang")),
    );
    await here.model.untilCall(4);
    await here.jobs.idle();
    const started = async () =>
      (await Promise.all(ids.map((id) => here.jobs.get(id)))).map((job) => job?.task !== undefined);
    expect(await started()).toEqual([true, true, true, false, false]);
    expect(await here.jobs.cancel(ids[4]!)).toMatchObject({ ok: true, job: { status: "canceled", task: undefined } });
    expect(await here.jobs.cancel(ids[0]!)).toMatchObject({ ok: true, job: { status: "canceled" } });
    expect(await here.jobs.cancel(ids[0]!)).toMatchObject({ ok: false, job: { status: "canceled" } });
    expect(await here.jobs.cancel("bg-000000000000")).toBeUndefined();
    const stranger = await here.core.tasks.start({ context: "other", text: "hello" });
    for (const asking of [{ task: stranger.id }, { task: "unknown" }])
      expect(await here.jobs.stop(asking, ids[1]!)).toContain("no background job");
    await here.jobs.idle();
    expect(await started()).toEqual([true, true, true, true, false]);
    await expect(here.jobs.delete(ids[1]!)).rejects.toMatchObject({ code: "still_running" });
    const many = Array.from({ length: 198 }, () => request("report many"));
    await expect(here.jobs.spawn({ task, call: "c2", outside: false }, many)).rejects.toMatchObject({
      code: "too_many",
    });
    expect(await here.jobs.stop({ task }, ids[1]!)).toContain("is canceled.");
    expect(await here.jobs.stop({ task }, ids[1]!)).toContain("is canceled already.");
    for (const id of ids.slice(2, 4)) await here.jobs.cancel(id);
    await rest(here);
    expect(await here.deliveries()).toEqual([]);
    expect([here.jobs.load, await here.jobs.list({ limit: 10, status: "canceled" })]).toMatchObject([0, { length: 5 }]);
  });

  test("a report waits until the turn that spawned its job is over (BG4)", async () => {
    const here = await scene();
    const turn = await here.core.tasks.start({ context: "s", text: "hang" });
    const ids = await here.jobs.spawn({ task: turn.id, call: "c1", outside: false }, [request("report early")]);
    await here.model.untilCall(2);
    while ((await here.jobs.get(ids[0]!))?.status === "running") await here.jobs.idle();
    expect(await here.deliveries()).toEqual([]);
    await here.core.tasks.cancel(turn.id);
    await rest(here);
    expect(await here.deliveries()).toMatchObject([{ state: "completed" }]);
  });

  test("no turn reads reports of jobs that an incognito or a background turn spawned, nor while that is switched off", async () => {
    let on = true;
    const here = await scene({ settings: () => ({ auto_resume: on }) });
    const incognito = await here.spawner({ incognito: true });
    const [hidden] = await here.jobs.spawn({ task: incognito, call: "c1", outside: false }, [request("report hidden")]);
    const nested = await here.spawner({}, "background");
    await here.jobs.spawn({ task: nested, call: "c2", outside: false }, [request("report nested")]);
    await rest(here);
    on = false;
    await here.jobs.spawn({ task: await here.spawner(), call: "c3", outside: false }, [request("report off")]);
    await rest(here);
    expect([await here.deliveries(), here.jobs.load]).toEqual([[], 0]);
    expect(await here.jobs.get(hidden!)).toMatchObject({ incognito: true, status: "completed", delivery: undefined });
    on = true;
    await here.jobs.idle();
    expect(await here.deliveries()).toEqual([]);
  });

  test("a job never waits for a person (R7), and its failure to start is its end", async () => {
    const asking = await scene();
    const [asks] = await asking.jobs.spawn({ task: await asking.spawner(), call: "c1", outside: false }, [
      request("ask"),
    ]);
    await rest(asking);
    expect((await asking.jobs.get(asks!))?.status).toBe("completed");
    const unknown = await scene({ launch: () => Promise.reject(new Error("no such role")) });
    const [id] = await unknown.jobs.spawn({ task: await unknown.spawner(), call: "c1", outside: false }, [
      request("report never"),
    ]);
    await rest(unknown);
    expect(await unknown.jobs.get(id!)).toMatchObject({
      status: "failed",
      result: expect.stringContaining("no such role"),
    });
    expect((await unknown.deliveries())[0]?.text).toContain("no such role");
  });

  test("a report whose turn failed is read by another after a while, three times at most; then it is left unread", async () => {
    const clock = manualClock();
    const model = (asked: ModelRequest): ScriptedTurn =>
      lastText(asked).includes("that you started") ? [{ fail: new Error("down") }] : played(asked);
    const here = await scene({ clock, play: model });
    const [id] = await here.jobs.spawn({ task: await here.spawner(), call: "c1", outside: false }, [
      request("report hard"),
    ]);
    for (const wait of [30_000, 60_000]) {
      await rest(here);
      await clock.untilDueIn(wait);
      await clock.advance(wait);
    }
    await rest(here);
    expect(await here.deliveries()).toMatchObject([{ state: "failed" }, { state: "failed" }, { state: "failed" }]);
    expect(await here.jobs.get(id!)).toMatchObject({
      status: "completed",
      delivery: undefined,
      deliveredAt: undefined,
    });
    expect(here.jobs.load).toBe(0);
  });
});

describe("what is kept", () => {
  test("lists pages newest first, by session and status; cleared jobs are hidden, deleted ones absent, old ones swept", async () => {
    const clock = manualClock();
    let days = 30;
    const here = await scene({ clock, retentionDays: () => days });
    const task = await here.spawner();
    const first = await here.jobs.spawn({ task, call: "c1", outside: false }, [request("report one")]);
    await rest(here);
    await clock.advance(10);
    const [second] = await here.jobs.spawn({ task, call: "c2", outside: false }, [request("report two")]);
    await rest(here);
    const ids = async (filter: object) => (await here.jobs.list({ limit: 10, ...filter })).map(({ id }) => id);
    expect(await ids({})).toEqual([second, ...first]);
    expect(await ids({ limit: 1 })).toEqual([second]);
    const { createdAt, id } = (await here.jobs.get(second!))!;
    expect(await ids({ before: { createdAt, id } })).toEqual(first);
    expect(await ids({ session: "other" })).toEqual([]);
    expect(await ids({ status: "failed" })).toEqual([]);
    expect(await here.jobs.clear("other")).toBe(0);
    expect(await here.jobs.clear()).toBe(2);
    expect(await ids({})).toEqual([]);
    expect(await here.jobs.get(second!)).toMatchObject({ dismissed: true, result: "report two" });
    expect(await here.jobs.delete(second!)).toBe(true);
    expect([await here.jobs.get(second!), await here.jobs.delete(second!)]).toEqual([undefined, false]);
    expect(await here.jobs.spawn({ task, call: "c2", outside: false }, [request("again")])).toEqual([second]);
    const rows = async () => (await here.core.db.read({ sql: "SELECT id FROM background_job", args: [] })).length;
    await clock.advance(3_600_000);
    // A sweep is no work that the jobs wait for.
    await expect.poll(rows).toBe(1);
    days = 0;
    await clock.advance(3_600_000);
    await expect.poll(rows).toBe(0);
  });

  test("a session that is deleted takes its jobs along (O8)", async () => {
    const here = await scene();
    const task = await here.spawner();
    const ids = await here.jobs.spawn({ task, call: "c1", outside: false }, [request("hang"), request("report lost")]);
    while ((await here.jobs.get(ids[1]!))?.status === "running") await here.jobs.idle();
    await here.jobs.forget({ class: "federation", session: "s" });
    expect(here.jobs.load).toBe(2);
    await here.jobs.forget({ class: "operator", session: "s" });
    await rest(here);
    expect([here.jobs.load, await here.deliveries()]).toEqual([0, []]);
    expect(await here.core.db.read({ sql: "SELECT id FROM background_job", args: [] })).toEqual([]);
  });
});

describe("a restart", () => {
  /** A process that dies with a running job, three more waiting, and a report being read. */
  async function dead() {
    const store = bench.newStore();
    const before = await scene({
      store,
      play: (asked) => (lastText(asked).includes("that you started") ? [{ hang: true }] : played(asked)),
    });
    const [first] = await before.jobs.spawn({ task: await before.spawner(), call: "c1", outside: false }, [
      request("report once"),
    ]);
    while ((await before.jobs.get(first!))?.delivery === undefined) await before.jobs.idle();
    // Another session: the first one is reading.
    const other = await before.core.tasks.start({ context: "s2", text: "hello" });
    await other.settled();
    const ids = await before.jobs.spawn(
      { task: other.id, call: "c2", outside: false },
      Array.from({ length: 4 }, () => request("hang")),
    );
    while ((await before.jobs.get(ids[2]!))?.task === undefined) await before.jobs.idle();
    open.splice(open.indexOf(before.jobs), 1);
    await bench.crash(before.core);
    return { store, first: first!, ids };
  }

  test("with `resume` continues where it was: jobs, those that wait, and the turn that reads", async () => {
    const { store, first, ids } = await dead();
    const here = await scene({ store, play: () => "report late" });
    await rest(here);
    for (const id of ids) expect(await here.jobs.get(id)).toMatchObject({ status: "completed", result: "report late" });
    expect(await here.deliveries()).toMatchObject([{ state: "completed" }]);
    expect(await here.jobs.get(first)).toMatchObject({ deliveredAt: expect.any(Number) });
    expect(here.jobs.load).toBe(0);
  });

  test("with `fail` fails every job that ran or waited, and a report that was being read is read by another turn", async () => {
    const { store, first, ids } = await dead();
    const here = await scene({ store, onRestart: "fail" });
    await rest(here);
    for (const id of ids) {
      expect(await here.jobs.get(id)).toMatchObject({ status: "failed", result: expect.stringContaining("restart") });
    }
    const read = await here.deliveries();
    expect(read.map(({ state }) => state)).toEqual(["failed", "completed"]);
    expect(await here.jobs.get(first)).toMatchObject({ delivery: read[1]?.id, deliveredAt: expect.any(Number) });
    const parent = (await here.core.tasks.get(read[1]!.id))!;
    expect(answerText(parent)).toBe("Noted.");
    expect(here.jobs.load).toBe(0);
  });
});
