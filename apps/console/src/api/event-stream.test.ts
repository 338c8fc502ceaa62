import { expect, test } from "vitest";
import { createEventStream, readFrame, type ServiceEvent } from "./event-stream.ts";

function body(...pieces: readonly string[]): Response {
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  );
}

test("a broken stream is resumed behind the last event, also when a frame arrives in two chunks", async () => {
  const asked: (string | undefined)[] = [];
  const done = Promise.withResolvers<void>();
  const answers = [
    () => Promise.resolve(body(": hello\n\nid: 1-1\n\n", 'id: 1-2\ndata: {"topic":"a.b",', '"data":{"n":1}}\n\n')),
    () => Promise.reject(new TypeError("fetch failed")),
    () => Promise.resolve(body('id: 1-3\ndata: {"topic":"c.d","data":{}}\n\n')),
  ];
  const stream = createEventStream({
    open: (after, signal) => {
      asked.push(after);
      const answer = answers.shift();
      if (answer !== undefined) return answer();
      done.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    },
    wait: () => Promise.resolve(),
    later: () => () => {},
  });
  const received: ServiceEvent[] = [];
  stream.listen((event) => received.push(event));
  stream.start();
  await done.promise;
  stream.stop();
  expect(asked).toEqual([undefined, "1-2", "1-2", "1-3"]);
  expect(received).toEqual([
    { topic: "a.b", data: { n: 1 } },
    { topic: "c.d", data: {} },
  ]);
});

test("waits twice as long after each failure, and starts anew once an event came", async () => {
  const waits: number[] = [];
  const done = Promise.withResolvers<void>();
  let opened = 0;
  const stream = createEventStream({
    open: () => {
      opened += 1;
      return opened === 4
        ? Promise.resolve(body('id: 1-1\ndata: {"topic":"a.b"}\n\n'))
        : Promise.reject(new TypeError("fetch failed"));
    },
    later: () => () => {},
    wait: (ms) => {
      waits.push(ms);
      if (waits.length < 5) return Promise.resolve();
      done.resolve();
      stream.stop();
      return Promise.resolve();
    },
  });
  stream.start();
  await done.promise;
  expect(waits).toEqual([500, 1_000, 2_000, 500, 1_000]);
});

test("a stream that stays silent is opened again", async () => {
  const timers = new Set<() => void>();
  const open = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  let opened = 0;
  const stream = createEventStream({
    open: (_, signal) => {
      opened += 1;
      if (opened === 2) again.resolve();
      const silent = new ReadableStream<Uint8Array>({
        start: (controller) => signal.addEventListener("abort", () => controller.error(new Error("aborted"))),
      });
      return Promise.resolve(new Response(silent));
    },
    wait: () => Promise.resolve(),
    later(run) {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  stream.subscribe(() => stream.connection() === "open" && open.resolve());
  stream.start();
  await open.promise;
  expect(timers.size).toBe(1);
  for (const run of timers) run();
  await again.promise;
  stream.stop();
});

test("frames that are no events are ignored", () => {
  expect(readFrame(": keep alive")).toEqual({});
  expect(readFrame("id: 3-4")).toEqual({ id: "3-4" });
  expect(readFrame("data: {broken")).toEqual({});
  expect(readFrame('data: {"no":"topic"}')).toEqual({});
});

test("several data lines are one event, and a comment between them changes nothing", () => {
  expect(readFrame('id: 1-1\ndata: {"topic":\n: comment\ndata: "a.b"}')).toEqual({
    ...{ id: "1-1", event: { topic: "a.b", data: {} } },
  });
});

/** A stream over these answers of the service; `waits` and `states` are filled as they happen, and it stops after the last one. */
async function run(answers: readonly (() => Promise<Response>)[]) {
  const waits: number[] = [];
  const states: string[] = [];
  const received: ServiceEvent[] = [];
  const timers = new Set<() => void>();
  const left = [...answers];
  const done = Promise.withResolvers<void>();
  const stream = createEventStream({
    open: () => left.shift()?.() ?? Promise.reject(new Error("opened once too often")),
    wait(ms) {
      waits.push(ms);
      if (left.length === 0) {
        stream.stop();
        done.resolve();
      }
      return Promise.resolve();
    },
    later(callback) {
      timers.add(callback);
      return () => timers.delete(callback);
    },
  });
  const unsubscribe = stream.subscribe(() => states.push(stream.connection()));
  stream.listen((event) => received.push(event));
  stream.start();
  stream.start();
  await done.promise;
  unsubscribe();
  return { waits, states, received, timers };
}

test("a connection is open from the service's answer on, lost once it ends, and each change is notified once", async () => {
  const { states } = await run([
    () => Promise.resolve(body('id: 1-1\ndata: {"topic":"a.b"}\n\n')),
    () => Promise.reject(new TypeError("fetch failed")),
    () => Promise.resolve(body()),
  ]);
  expect(states).toEqual(["open", "lost", "open", "lost"]);
});

test("a refusal is no open connection, and is tried again", async () => {
  const refused = () => Promise.resolve(new Response("no", { status: 401 }));
  expect(await run([refused, refused])).toMatchObject({ states: ["lost"], waits: [500, 1_000] });
});

test("a frame without an end is not kept without bound: the stream is opened again", async () => {
  const [begin, rest] = ['data: {"topic":"a.b","x":"'.padEnd(700_000, "x"), "x".repeat(700_000)];
  const { received, waits } = await run([
    () => Promise.resolve(body(begin, rest, '"}\n\n')),
    () => Promise.resolve(body('data: {"topic":"c.d"}\n\n')),
  ]);
  expect(received).toEqual([{ topic: "c.d", data: {} }]);
  expect(waits).toHaveLength(2);
});

test("each attempt ends the timeout of the one before, so that a late one cannot break a later connection", async () => {
  const { timers } = await run([
    () => Promise.resolve(body(": hello\n\n", ": hello\n\n")),
    () => Promise.reject(new TypeError("fetch failed")),
  ]);
  expect(timers.size).toBe(0);
});

test("after ten failures it still tries every ten seconds", async () => {
  const failing = Array.from({ length: 10 }, () => () => Promise.reject(new TypeError("fetch failed")));
  expect((await run(failing)).waits.slice(4)).toEqual([8_000, 10_000, 10_000, 10_000, 10_000, 10_000]);
});

test("who unsubscribed receives nothing more", async () => {
  const received: string[] = [];
  const done = Promise.withResolvers<void>();
  const stream = createEventStream({
    open: (after) =>
      Promise.resolve(body(after === undefined ? 'id: 1\ndata: {"topic":"a"}\n\n' : 'id: 2\ndata: {"topic":"b"}\n\n')),
    later: () => () => {},
    wait() {
      stop();
      if (received.length > 2) stream.stop();
      if (received.length > 2) done.resolve();
      return Promise.resolve();
    },
  });
  const stop = stream.listen(({ topic }) => received.push(`first ${topic}`));
  stream.listen(({ topic }) => received.push(`second ${topic}`));
  stream.start();
  await done.promise;
  expect(received).toEqual(["first a", "second a", "second b"]);
});
