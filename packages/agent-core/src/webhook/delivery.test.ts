import fc from "fast-check";
import { expect, test } from "vitest";
import type { TaskRecord } from "../journal/index.ts";
import { type Behaviour, EVENTS, type SeenPost, type WebhookBench, webhookBench } from "../webhook-bench.ts";

/** What may happen to a task, its receiver, the time and the process. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ event: fc.constantFrom("progress", "park", "answer") }) },
  { weight: 3, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 12_000 }) }) },
  { weight: 3, arbitrary: fc.record({ behave: fc.constantFrom<Behaviour>(200, 500, 404, 302, "hang", "vanish") }) },
  { weight: 1, arbitrary: fc.record({ answer: fc.constantFrom(200, 503) }) },
  { weight: 1, arbitrary: fc.record({ restart: fc.constant(true) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Which events were committed when, and when the process was started again. */
interface History {
  readonly urgent: { readonly seq: number; readonly at: number }[];
  readonly restarts: number[];
}

async function live(bench: WebhookBench, record: TaskRecord, steps: readonly Step[], end: boolean): Promise<History> {
  const history: History = { urgent: [], restarts: [] };
  let parked = false;
  const append = async (kind: keyof typeof EVENTS, isUrgent: boolean): Promise<void> => {
    await bench.append(record, EVENTS[kind]);
    if (isUrgent) history.urgent.push({ seq: record.view.seq, at: bench.clock.now() });
  };
  for (const one of steps) {
    if ("event" in one) {
      if (one.event === "park" && !parked) await append("parked", true);
      if (one.event === "answer" && parked) await append("answered", false);
      if (one.event === "progress" && !parked) await append("started", false);
      if (one.event !== "progress") parked = one.event === "park";
    } else if ("pass" in one) await bench.pass(one.pass);
    else if ("behave" in one) bench.receivers.behave(one.behave);
    else if ("answer" in one) bench.receivers.answer(one.answer);
    else {
      history.restarts.push(bench.clock.now());
      await bench.restart();
    }
    await bench.rest();
  }
  if (end) await append("completed", true);
  await bench.pass(120_000);
  return history;
}

const seqOf = ({ id }: SeenPost): number => Number(id.split("/")[1]);

/** W1 and W2 as they can be seen from the receiver's side. */
function check(posts: readonly SeenPost[], history: History, end: number | undefined): void {
  const numbers = posts.map(seqOf);
  expect(numbers, "in order").toEqual(numbers.toSorted((a, b) => a - b));
  const urgent = new Set(history.urgent.map(({ seq }) => seq));
  for (const [seq, tries] of Map.groupBy(posts, seqOf)) {
    // A kill may come between a POST and its note, so each allows one more.
    expect(tries.length, `POSTs of event ${seq}`).toBeLessThanOrEqual(4 + history.restarts.length);
    tries.forEach((post, i) => {
      const before = tries[i - 1];
      if (before === undefined || history.restarts.some((at) => at >= before.at && at <= post.at)) return;
      expect(post.at - before.at, `the ${i}. retry of event ${seq}`).toBeGreaterThanOrEqual(
        [1_000, 3_000, 9_000][i - 1]!,
      );
    });
  }
  posts.forEach((post, i) => {
    const before = posts[i - 1];
    if (before === undefined || seqOf(before) === seqOf(post) || urgent.has(seqOf(post))) return;
    if (history.restarts.some((at) => at >= before.at && at <= post.at)) return;
    expect(post.at - before.at, `progress ${seqOf(post)}`).toBeGreaterThanOrEqual(1_500);
  });
  // Nothing older is begun 200 ms after something urgent happened.
  for (const { seq, at } of history.urgent) {
    const late = posts.filter((post) => seqOf(post) < seq && post.at > at + 200);
    expect(
      late.map(({ id }) => id),
      `older than ${seq}, after it`,
    ).toEqual([]);
  }
  if (end !== undefined) expect(numbers.at(-1), "the end is sent, last").toBe(end);
}

test("whatever happens: in order, by schedule, throttled, and no end is lost (W1, W2; WH1 to WH3)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, ends) => {
      const bench = await webhookBench();
      try {
        const record = await bench.accept("t", bench.config("t"));
        const history = await live(bench, record, steps, ends);
        check(bench.receivers.posts, history, ends ? record.view.seq : undefined);
        expect(bench.webhooks.load()).toEqual({ open: ends ? 0 : 1, active: 0, waiting: 0 });
        expect(bench.log).toEqual([]);
      } finally {
        await bench.end();
      }
    }),
    { numRuns: 60 },
  );
});
