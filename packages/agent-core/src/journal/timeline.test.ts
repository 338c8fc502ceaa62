import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { NO_USAGE, type TaskEvent } from "../event/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { Journal, type Timeline, type TimelineRange } from "./index.ts";
import { readTimeline } from "./timeline.ts";

let db: Database;
let journal: Journal;
let head = 0;
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  journal = new Journal({ db, clock: manualClock() });
  const input = { messageId: "m", parts: [{ kind: "text" as const, text: "hi" }] };
  const task = { id: "t", class: "operator", context: "c", origin: "a2a", options: "{}" };
  const { record, committed } = journal.create(task, {
    label: "accept",
    events: [{ kind: "task.accepted", class: "operator", context: "c", origin: "a2a", input, state: "running" }],
  });
  await committed;
  const append = (...events: TaskEvent[]) => journal.append(record, { label: "append", events });
  for (let step = 1; step <= 10; step++) {
    await append({ kind: "model.started", call: `m${step}`, step, model: "m" });
    for (let piece = 0; piece < 30; piece++) await append({ kind: "text.delta", text: "x" }, { kind: "text.reset" });
    await append({ kind: "tool.started", call: `c${step}`, name: "n", args: "cut" });
  }
  const insert =
    "INSERT INTO call (id, class, context, task, name, args, digest, outcome, result, started_at) VALUES (?, '', '', 't', 'n', ?, '', ?, ?, 0)";
  const rows = [
    ["c1", '{"whole":1}', "ok", "done"],
    ["c2", "a".repeat(9_000), null, null],
  ];
  await db.commit({ label: "calls", statements: rows.map((args) => ({ sql: insert, args })) });
  await append({ kind: "task.completed", usage: NO_USAGE, durationMs: 1 });
  head = record.view.seq;
});
afterAll(() => db.close());

const read = (range: TimelineRange): Promise<Timeline> =>
  readTimeline({ db, statements: journal.statements }, { task: "t", head }, range);

async function pages(range: Omit<TimelineRange, "from">): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  for (let from: number | undefined; ; ) {
    const { events, next } = await read({ ...range, from });
    found.push(events.map(({ seq, event }) => `${seq} ${event.kind}`));
    if (next === undefined) return found;
    from = next;
  }
}

test("is the events without the pieces of text, either way round, whatever the size of a page", async () => {
  const [all] = await pages({ order: "oldest", limit: 200 });
  expect(all?.map((line) => line.split(" ")[1])).toEqual([
    "task.accepted",
    ...Array(10).fill(["model.started", "tool.started"]).flat(),
    "task.completed",
  ]);
  for (const limit of [1, 2, 5, 21, 22]) {
    expect((await pages({ order: "oldest", limit })).flat()).toEqual(all);
    const backwards = await pages({ order: "newest", limit });
    expect(backwards.flat()).toEqual(all?.toReversed());
    expect(backwards.every((page) => page.length <= limit)).toBe(true);
  }
});

test("holds a call's arguments and result as its row has them, up to 8,000 characters", async () => {
  const { calls } = await read({ order: "oldest", limit: 10 });
  expect(calls.get("c1")).toEqual({ args: '{"whole":1}', result: "done", truncated: false });
  expect(calls.get("c2")).toEqual({ args: "a".repeat(8_000), result: null, truncated: true });
  expect(calls.has("c3")).toBe(false);
});

test("an unknown task has none", async () => {
  const range = { order: "newest", limit: 5 } as const;
  const none = await readTimeline({ db, statements: journal.statements }, { task: "x", head: 0 }, range);
  expect(none).toEqual({ events: [], calls: new Map() });
});
