import { expect, test } from "vitest";
import { createRedactor } from "../redaction/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type BusEvent, EventLog, type EventLogOptions, topicProblem } from "./index.ts";

const SECRET = "correct-horse-battery";

function openLog(bounds: EventLogOptions["bounds"] = {}, epoch = 7) {
  const clock = manualClock(1_000);
  const warnings: string[] = [];
  const redactor = createRedactor({ secrets: () => [SECRET] });
  const log = new EventLog({ epoch, clock, redactor, bounds, warn: (message) => warnings.push(message) });
  return { log, clock, warnings };
}

/** A reader, from a cursor on. `read(n)` resolves to the next n events. */
function reader(log: EventLog, since?: string) {
  const abort = new AbortController();
  const pages = log.follow(since, abort.signal);
  const held: BusEvent[] = [];
  return {
    abort,
    pages,
    async read(count: number): Promise<readonly BusEvent[]> {
      while (held.length < count) {
        const { value, done } = await pages.next();
        if (done === true) break;
        held.push(...value);
      }
      return held.splice(0, count);
    },
  };
}

const brief = (events: readonly BusEvent[]) => events.map(({ id, topic }) => `${id} ${topic}`);
const dataOf = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text).data);

test("readers get every event after their cursor, kept and live, in order (EL2)", async () => {
  const { log } = openLog();
  const early = reader(log);
  log.publish("a.b", { n: 1 });
  log.publish("a.b", { n: 2 });
  const waiting = early.read(3);
  log.publish("a.c", { n: 3 });
  expect(brief(await waiting)).toEqual(["7-1 a.b", "7-2 a.b", "7-3 a.c"]);
  const late = reader(log, "7-1");
  expect((await late.read(2)).map(({ text }) => JSON.parse(text))).toEqual([
    { topic: "a.b", data: { n: 2 }, seq: 2 },
    { topic: "a.c", data: { n: 3 }, seq: 3 },
  ]);
  const live = Promise.all([early.read(1), late.read(1), reader(log).read(1)]);
  log.publish("a.d", {});
  for (const events of await live) expect(brief(events)).toEqual(["7-4 a.d"]);
  const again = early.read(1);
  log.publish("a.e", {});
  expect(brief(await again)).toEqual(["7-5 a.e"]);
});

test("a cursor that cannot be resumed from gets stream.gap, then continues from now (O7)", async () => {
  const { log } = openLog();
  log.publish("before.anyone", {});
  expect(log.cursor).toBe("7-1");
  const reasons: unknown[] = [];
  for (const since of ["6-1", "7-2", "7-0", "7", "x-1", "", "7-1e3", "7--1"]) {
    const [gap] = await reader(log, since).read(1);
    expect(brief([gap!])).toEqual(["7-1 stream.gap"]);
    expect(gap!.publicText).toBe(gap!.text);
    reasons.push((dataOf(gap!.text) as { reason: string }).reason);
  }
  expect(reasons).toEqual(["restarted", "unknown", "expired", ...Array<string>(5).fill("unknown")]);
  const resumed = reader(log, "5-9");
  await resumed.read(1);
  log.publish("after.gap", {});
  expect(brief(await resumed.read(1))).toEqual(["7-2 after.gap"]);
});

test.each([
  ["count", { events: 3 }],
  ["bytes", { bytes: 3 * 220 }],
])("what is kept is bounded by %s, and a slow reader gets a gap event (EL3)", async (_what, bounds) => {
  const { log } = openLog(bounds);
  const slow = reader(log);
  for (let n = 1; n <= 5_000; n++) log.publish("a.b", { n: n % 10 });
  expect(brief(await reader(log, "7-4997").read(3))).toEqual(["7-4998 a.b", "7-4999 a.b", "7-5000 a.b"]);
  const [gap] = await slow.read(1);
  expect([gap!.topic, gap!.id, dataOf(gap!.text)]).toEqual(["stream.gap", "7-5000", { reason: "expired" }]);
});

test("what is older than a day is not kept (O7)", async () => {
  const { log, clock } = openLog();
  reader(log);
  log.publish("a.b", {});
  await clock.advance(24 * 3_600_000 - 1);
  log.publish("a.b", {});
  expect(brief(await reader(log, "7-0").read(1))).toEqual(["7-1 a.b"]);
  await clock.advance(2);
  expect(brief(await reader(log, "7-0").read(1))).toEqual(["7-2 stream.gap"]);
  expect(brief(await reader(log, "7-1").read(1))).toEqual(["7-2 a.b"]);
});

test("publishing never fails, and an event that cannot be serialized takes no number (EL1)", async () => {
  const { log, warnings } = openLog();
  const all = reader(log);
  const circular: { self?: never } = {};
  circular.self = circular as never;
  log.publish("a.b", circular);
  log.publish("a.b", { text: "x".repeat(70_000) });
  expect(warnings).toEqual([expect.stringContaining("a.b could not be published")]);
  const [event] = await all.read(1);
  expect([event!.id, dataOf(event!.text)]).toEqual(["7-1", { truncated: true }]);
});

test("the operator sees no secret, others the public part of activity and inbox (S3, S5)", async () => {
  const { log } = openLog();
  const all = reader(log);
  const data = { id: "i-1", origin: "webhook", priority: "now", state: "queued", text: `hello ${SECRET}`, token: "x" };
  for (const topic of ["activity.message", "inbox.added", "session.changed", "inboxes.added"]) log.publish(topic, data);
  log.publish("inbox.added", { id: 4, state: "x".repeat(129), priority: { text: "no" }, origin: SECRET });
  const events = await all.read(5);
  expect(dataOf(events[0]!.text)).toEqual({ ...data, text: "hello ***", token: "***" });
  const shown = { id: "i-1", origin: "webhook", priority: "now", state: "queued" };
  const publicParts = [shown, shown, undefined, undefined, { id: 4, origin: "***" }];
  expect(events.map(({ publicText }) => dataOf(publicText))).toEqual(publicParts);
});

test("a reader ends with its signal, also while it waits", async () => {
  const { log } = openLog();
  const { abort, pages } = reader(log);
  const next = pages.next();
  abort.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test("topics are names joined by dots, without wildcards", () => {
  expect(["build.finished", "a.b.c-d_e"].map(topicProblem)).toEqual([undefined, undefined]);
  for (const wrong of ["", "build", "a.*", "a.#", "a..b", ".a", "a.b c", `a.${"b".repeat(130)}`]) {
    expect(topicProblem(wrong)).toEqual(expect.any(String));
  }
});
