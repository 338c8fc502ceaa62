import { park } from "@agent-service/plugin-sdk";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { callsOf, coreBench, countedTool, eventsOf, textInput } from "../core-bench.ts";
import type { AgentCore } from "../create-agent-core.ts";
import type { Failpoints } from "../database/index.ts";
import { foldEvents, isTerminalState } from "../event/index.ts";
import type { Model, ModelMessage } from "../model/index.ts";
import { contextKey } from "./queue-entry.ts";

/**
 * Starts, answers, cancels, steering and kills in random interleavings
 * against a simple model of the requests. What must hold whatever happens:
 *  - at most one turn of a context runs (EN4)
 *  - nothing happens to a task that has ended (EN3), and its calls are closed
 *  - every acknowledged task ends or waits for a person (TU1), in a state that its requests explain
 *  - no effect runs twice without an approval (R3, EN6)
 *  - acknowledged steering is read exactly once (R8), an answered prompt is answered once
 *  - events are numbered without gaps and their fold is the task's view (EN2)
 */
const CONTEXTS = ["c0", "c1", "c2"];
const KINDS = ["plain", "ask", "write", "write", "both", "both"] as const;

/** The plain account. */
interface Account {
  tasks: number;
  readonly canceled: Set<number>;
  kills: number;
}

interface Steer {
  readonly text: string;
  acknowledged: boolean;
}

/** The system under test, over all its processes. */
interface World {
  readonly store: string;
  core: AgentCore;
  /** Processes so far; only the last one lives. */
  processes: number;
  /** Ids of acknowledged tasks by their number; absent while, or because, they were not acknowledged. */
  readonly ids: Map<number, string>;
  readonly steers: Steer[];
  /** Tokens of effects in the order they ran. */
  readonly written: string[];
  /** Requests whose outcome is not known yet. */
  readonly pending: Set<Promise<unknown>>;
  readonly violations: string[];
  /** Commits published so far. */
  commits: number;
  /** Tasks whose end was published. */
  readonly ended: Set<string>;
  /** Passes the time of up to three reads of the store, or `times` as many. */
  pause(times?: number): Promise<void>;
}

/** A tool takes longer than a commit: most of what happens, happens while one runs. */
const TOOL_PAUSE = 6;

const bench = coreBench();
afterAll(() => bench.remove());

const lastText = (message: ModelMessage | undefined): string =>
  message?.role === "user" ? message.content.map((part) => (part.kind === "text" ? part.text : "")).join("\n") : "";

/** Makes the calls that the last message names, a few turns of the event loop later. */
function scriptedByMessage(world: Pick<World, "pause">): Model {
  return {
    async *stream(request, { signal }) {
      await world.pause();
      signal.throwIfAborted();
      const text = lastText(request.messages.at(-1));
      const token = /(?:write|both):(\S+)/.exec(text)?.[1];
      let calls = 0;
      const call = (name: string, args: object) =>
        ({ kind: "tool-call", call: { id: `${++calls}`, name, args: JSON.stringify(args) } }) as const;
      if (text.includes("ask:") || text.includes("both:")) yield call("asks", {});
      if (token !== undefined) yield call("write", { token });
      if (calls === 0) yield { kind: "text", text: "done" };
      yield { kind: "finish", reason: calls > 0 ? "tool-calls" : "stop" };
    },
  };
}

async function openWorld(world: World): Promise<void> {
  const running = new Map<string, string>();
  const process = ++world.processes;
  const dead = (): boolean => world.processes !== process;
  const asks = countedTool("asks", { run: () => park.question("?") });
  const write = countedTool("write", {
    run: async (input) => {
      await world.pause(TOOL_PAUSE);
      // A dead process does nothing.
      if (dead()) return new Promise<never>(() => {});
      world.written.push((input as { token: string }).token);
      await world.pause(TOOL_PAUSE);
      return "written";
    },
  });
  // A pause between durable and published, where a kill is most dangerous. Commits are published in their order.
  let paused = Promise.resolve();
  const failpoints: Failpoints = {
    hit(name) {
      if (!name.endsWith(":after")) return undefined;
      paused = paused.then(() => world.pause());
      return paused;
    },
  };
  world.core = await bench.start({
    store: world.store,
    model: scriptedByMessage(world),
    tools: [asks.tool, write.tool],
    onRestart: "resume",
    turns: { maxBegun: 2 },
    failpoints,
    onCommit(view, events) {
      if (dead()) return;
      world.commits++;
      if (world.ended.has(view.id)) world.violations.push(`${view.id} went on after its end (EN3)`);
      const key = contextKey(view);
      for (const { event } of events) {
        const begins = event.kind === "task.started" || event.kind === "task.resumed" || event.kind === "model.started";
        const holder = running.get(key);
        if (begins && holder !== undefined && holder !== view.id)
          world.violations.push(`two turns run in ${key} (EN4)`);
        if (begins) running.set(key, view.id);
      }
      if (isTerminalState(view.state)) world.ended.add(view.id);
      if ((isTerminalState(view.state) || view.state === "parked") && running.get(key) === view.id) running.delete(key);
    },
  });
}

/** Makes a request without waiting for it, as callers do. */
function request(world: World, run: () => Promise<unknown>): void {
  const running: Promise<unknown> = run().then(
    () => world.pending.delete(running),
    () => world.pending.delete(running),
  );
  world.pending.add(running);
}

const command = (
  name: string,
  check: (account: Account) => boolean,
  run: (account: Account, world: World) => unknown,
) => ({
  check,
  run: async (account: Account, world: World): Promise<void> => {
    await run(account, world);
    await world.pause();
  },
  toString: () => name,
});

const start = fc.tuple(fc.constantFrom(...CONTEXTS), fc.constantFrom(...KINDS)).map(([context, kind]) =>
  command(
    `start ${kind} in ${context}`,
    () => true,
    (account, world) => {
      const number = account.tasks++;
      request(world, async () => {
        const task = await world.core.tasks.start({ context, text: `${kind}:${number}` });
        world.ids.set(number, task.id);
      });
    },
  ),
);

const withTask = (
  name: string,
  act: (world: World, id: string, number: number, account: Account) => Promise<unknown>,
) =>
  fc.nat({ max: 30 }).map((pick) =>
    command(
      `${name} task ${pick}`,
      ({ tasks }) => tasks > 0,
      (account, world) => {
        const number = pick % account.tasks;
        const id = world.ids.get(number);
        if (id !== undefined) request(world, () => act(world, id, number, account));
      },
    ),
  );

const cancel = withTask("cancel", (world, id, number, account) => {
  account.canceled.add(number);
  return world.core.tasks.cancel(id);
});
const answer = withTask("answer", (world, id) => world.core.tasks.answer(id, { answer: "yes" }));
const decline = withTask("decline", (world, id) => world.core.tasks.answer(id, { answer: "no" }));

const steer = fc.constantFrom(...CONTEXTS).map((context) =>
  command(
    `steer ${context}`,
    () => true,
    (_, world) => {
      const entry: Steer = { text: `steer-${world.steers.length}.`, acknowledged: false };
      world.steers.push(entry);
      request(world, async () => {
        await world.core.service.steer({ class: "operator", context, origin: "a2a", input: textInput(entry.text) });
        entry.acknowledged = true;
      });
    },
  ),
);

const wait = fc.integer({ min: 1, max: 8 }).map((commits) =>
  command(
    `wait for ${commits} commits`,
    () => true,
    async (_, world) => {
      const enough = world.commits + commits;
      const busy = () => world.pending.size > 0 || world.core.load().running > 0;
      while (world.commits < enough && busy()) await new Promise((resolve) => setImmediate(resolve));
    },
  ),
);

const kill = fc.constant(
  command(
    "kill and restart",
    ({ kills, tasks }) => kills < 3 && tasks > 0,
    async (account, world) => {
      account.kills++;
      world.processes++;
      await bench.crash(world.core);
      await Promise.all(world.pending);
      await openWorld(world);
    },
  ),
);

/** What is not done yet, for people. */
async function undone(world: World): Promise<string> {
  const rows = await world.core.db.read({ sql: "SELECT id, state FROM task", args: [] });
  const open = rows.filter(([, state]) => !["completed", "failed", "canceled", "parked"].includes(String(state)));
  const of = open.map(([id, state]) => `${[...world.ids].find(([, other]) => other === id)?.[0]} is ${state}`);
  return `${world.pending.size} requests; ${JSON.stringify(world.core.load())}; tasks ${of.join(", ")}`;
}

/** Waits until every request is answered and every task is terminal or parked. */
async function quiet(world: World): Promise<void> {
  const late = AbortSignal.timeout(120_000);
  const tooLate = new Promise<"late">((resolve) => late.addEventListener("abort", () => resolve("late")));
  for (;;) {
    const settle = async (): Promise<void> => {
      await Promise.all(world.pending);
      for (const id of await world.core.journal.openTaskIds()) await (await world.core.tasks.get(id))!.settled(late);
      await world.core.service.runner.idle(600_000);
    };
    if ((await Promise.race([settle(), tooLate])) === "late") throw new Error(`not quiet: ${await undone(world)}`);
    const { running, waiting } = world.core.load();
    if (world.pending.size === 0 && running === 0 && waiting === 0) return;
  }
}

async function judge(account: Account, world: World): Promise<void> {
  const { core } = world;
  await quiet(world);
  expect(world.violations).toEqual([]);
  const tasks = (await core.db.read({ sql: "SELECT id, state FROM task", args: [] })).map(([id]) => String(id));
  const read: string[] = [];
  const approvals = new Map<string, number>();
  for (const id of tasks) {
    const { view } = (await core.tasks.get(id))!;
    const events = await eventsOf(core, id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(foldEvents(id, events)).toEqual(view);
    const answered = events.flatMap(({ event }) => (event.kind === "prompt.answered" ? [event.promptId] : []));
    expect(new Set(answered).size).toBe(answered.length);
    for (const { event } of events) {
      const inputs =
        event.kind === "input.consumed" ? event.inputs : event.kind === "task.accepted" ? [event.input] : [];
      read.push(...inputs.flatMap((input) => input.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []))));
    }
    if (isTerminalState(view.state)) {
      expect((await callsOf(core, id)).filter((call) => call.outcome === null)).toEqual([]);
    }
    const rows = await core.db.read({
      sql: "SELECT c.args, count(*) FROM prompt p JOIN call c ON c.id = p.call WHERE p.task = ? AND p.reason <> 'inside' AND p.answer LIKE '%true%' GROUP BY c.id",
      args: [id],
    });
    for (const [args, count] of rows) {
      const { token } = JSON.parse(String(args)) as { token: string };
      approvals.set(token, (approvals.get(token) ?? 0) + Number(count));
    }
  }
  for (const token of new Set(world.written)) {
    const runs = world.written.filter((other) => other === token).length;
    expect(runs, `runs of write:${token}`).toBeLessThanOrEqual(1 + (approvals.get(token) ?? 0));
  }
  for (const [number, id] of world.ids) {
    const { state } = (await core.tasks.get(id))!.view;
    const explained = account.canceled.has(number) ? ["completed", "parked", "canceled"] : ["completed", "parked"];
    expect(explained, `task ${number}`).toContain(state);
  }
  for (const { text, acknowledged } of world.steers) {
    const times = read.filter((other) => other.split("\n").includes(text)).length;
    if (acknowledged) expect(times, `times ${text} was read`).toBe(1);
    else expect(times, `times ${text} was read`).toBeLessThanOrEqual(1);
  }
  const unread = await core.db.read({ sql: "SELECT count(*) FROM steering", args: [] });
  expect(unread).toEqual([[0]]);
}

const RUNS = Number(process.env.RACE_RUNS ?? 8);

test("whatever is asked in whatever order, and whenever the process dies, the promises hold", async () => {
  const commands = fc.commands([start, start, start, answer, answer, decline, cancel, steer, wait, wait, wait, kill], {
    maxCommands: 40,
    size: "max",
  });
  const pauses = fc.infiniteStream(fc.nat({ max: 3 }));
  await fc.assert(
    fc.asyncProperty(commands, pauses, async (sequence, turns) => {
      const world: World = {
        store: bench.newStore(),
        core: undefined as unknown as AgentCore,
        processes: 0,
        ids: new Map(),
        steers: [],
        written: [],
        pending: new Set(),
        violations: [],
        commits: 0,
        ended: new Set(),
        async pause(times = 1) {
          const count = turns.next().value * times;
          for (let i = 0; i < count; i++) await world.core?.db.read({ sql: "SELECT 1", args: [] }).catch(() => {});
        },
      };
      await openWorld(world);
      const account: Account = { tasks: 0, canceled: new Set(), kills: 0 };
      try {
        await fc.asyncModelRun(() => ({ model: account, real: world }), sequence);
        await judge(account, world);
      } finally {
        await bench.end();
      }
    }),
    { numRuns: RUNS, endOnFailure: RUNS > 8 },
  );
});
