import { expect, test } from "vitest";
import type { ConsoleApi } from "../../api/index.ts";
import { createFrameSplitter, type Frame, followFrames } from "./read-frames.ts";

test("frames are returned whole, however their text is split, and keep-alive comments are ignored", () => {
  const text = ': hello\n\nid: 7\ndata: {"a":1}\n\ndata: {"b":\ndata: 2}\n\nid: 9\n';
  for (const size of [1, 3, 1_000]) {
    const received: Frame[] = [];
    const take = createFrameSplitter((frame) => received.push(frame));
    for (let at = 0; at < text.length; at += size) take(text.slice(at, at + size));
    expect(received).toEqual([
      { id: "7", data: '{"a":1}' },
      { id: undefined, data: '{"b":\n2}' },
    ]);
  }
});

test("the frames of a stream are returned while the client reads them, and nothing of other responses", async () => {
  const received: Frame[] = [];
  let bytes = 0;
  const agentOver = async (over: typeof fetch) => ({
    async *resubscribe() {
      for (const type of ["text/plain", "text/event-stream"]) {
        const { body } = await over(`data:${type},${encodeURIComponent(`id: 1\ndata: ${type}\n\n`)}`);
        for await (const chunk of body ?? []) {
          bytes += chunk.length;
          yield;
        }
      }
    },
  });
  const api = { agentOver } as unknown as Pick<ConsoleApi, "agentOver">;
  await followFrames(api, "t", { onFrame: (frame) => received.push(frame), signal: new AbortController().signal });
  expect(received).toEqual([{ id: "1", data: "text/event-stream" }]);
  expect(bytes).toBe("id: 1\ndata: text/plain\n\nid: 1\ndata: text/event-stream\n\n".length);
});
