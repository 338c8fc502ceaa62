import { expect, test } from "vitest";
import { createFrameSplitter, type Frame } from "./read-frames.ts";

test("frames are told whole, however their text is cut, and signs of life are none", () => {
  const text = ': hello\n\nid: 7\ndata: {"a":1}\n\ndata: {"b":\ndata: 2}\n\nid: 9\n';
  for (const size of [1, 3, 1_000]) {
    const told: Frame[] = [];
    const take = createFrameSplitter((frame) => told.push(frame));
    for (let at = 0; at < text.length; at += size) take(text.slice(at, at + size));
    expect(told).toEqual([
      { id: "7", data: '{"a":1}' },
      { id: undefined, data: '{"b":\n2}' },
    ]);
  }
});
