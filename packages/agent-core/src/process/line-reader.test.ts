import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { LineReader, type LineReaderOptions } from "./line-reader.ts";

function reading(more: Partial<LineReaderOptions> = {}) {
  const stream = new PassThrough({ highWaterMark: 64 * 1024 });
  const seen: string[] = [];
  const ended = new Promise<string>((resolve) => {
    new LineReader(stream, {
      maxBytes: 100,
      onLine: (line) => void seen.push(line.toString()),
      onTooLong: () => resolve("too long"),
      onEnd: () => resolve("end"),
      ...more,
    });
  });
  return { stream, seen, ended };
}

it("joins the pieces of lines, and hands over what has a line end", async () => {
  const { stream, seen, ended } = reading();
  for (const byte of Buffer.from("ä\n\nbc\r\n")) stream.write(Buffer.of(byte));
  stream.end("no end");
  expect(await ended).toBe("end");
  expect(seen).toEqual(["ä", "", "bc\r"]);
});

it("takes a line of the bound, in pieces or whole, and stops at one that is longer", async () => {
  for (const size of [1, 33, 400]) {
    const { stream, seen, ended } = reading();
    const text = Buffer.from(`${"a".repeat(100)}\n${"b".repeat(101)}\nc\n`);
    for (let from = 0; from < text.length; from += size) stream.write(text.subarray(from, from + size));
    expect(await ended).toBe("too long");
    expect(seen).toEqual(["a".repeat(100)]);
    expect(stream.destroyed).toBe(true);
  }
});

it("rests between lines that take long, loses none of them, and reads no further meanwhile", async () => {
  let now = 0;
  let turns = 0;
  const perTurn: number[] = [];
  const { stream, seen, ended } = reading({
    onLine(line) {
      seen.push(line.toString());
      now += 2;
      perTurn[turns] = (perTurn[turns] ?? 0) + 1;
    },
    now: () => now,
  });
  const turn = setInterval(() => turns++, 1);
  stream.write("0\n1\n2\n3\n4\n5\n6\n");
  stream.end("7\n8\n");
  expect(await ended).toBe("end");
  clearInterval(turn);
  expect(seen).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  expect(Math.max(...perTurn.filter((count) => count > 0))).toBeLessThanOrEqual(3);
});
