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

test("a broken stream is picked up after the last event seen, also when a frame came in two pieces", async () => {
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
  const heard: ServiceEvent[] = [];
  stream.listen((event) => heard.push(event));
  stream.start();
  await done.promise;
  stream.stop();
  expect(asked).toEqual([undefined, "1-2", "1-2", "1-3"]);
  expect(heard).toEqual([
    { topic: "a.b", data: { n: 1 } },
    { topic: "c.d", data: {} },
  ]);
});

test("waits longer the more often it fails, and starts anew once something came", async () => {
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

test("a stream that gives no sign of life is opened anew", async () => {
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

test("what is no event is passed over", () => {
  expect(readFrame(": keep alive")).toEqual({});
  expect(readFrame("id: 3-4")).toEqual({ id: "3-4" });
  expect(readFrame("data: {broken")).toEqual({});
  expect(readFrame('data: {"no":"topic"}')).toEqual({});
});
