/** Lines of files of any size, ending and content (F7). */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type LineRange, readLines } from "./read-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Buffer, range: Partial<LineRange> = {}) {
  const path = join(folder, "file");
  writeFileSync(path, content);
  const file = await open(path);
  try {
    const whole = { offset: 1, limit: 100, maxChars: 10_000, maxLineChars: 100, ...range };
    return await readLines(file, whole, AbortSignal.any([]));
  } finally {
    await file.close();
  }
}

const texts = async (content: string | Buffer, range?: Partial<LineRange>): Promise<string[]> => {
  const found = await read(content, range);
  return found.kind === "binary" ? ["binary"] : found.lines.map(({ text }) => text);
};

test("lines are as they are in the file, each with its end", async () => {
  expect(await texts("a\r\nb\n\nc")).toEqual(["a\r\n", "b\n", "\n", "c"]);
  expect(await texts("\ufeffa\n")).toEqual(["\ufeffa\n"]);
  expect(await read("")).toEqual({ kind: "text", lines: [], next: undefined, total: 0 });
});

test("a part names the line behind it, and none where nothing is behind it", async () => {
  const lines = "1\n2\n3\n4\n";
  expect(await read(lines, { offset: 2, limit: 2 })).toMatchObject({
    lines: [{ text: "2\n" }, { text: "3\n" }],
    next: 4,
  });
  expect(await read(lines, { offset: 3, limit: 2 })).toMatchObject({ next: undefined, total: 4 });
  expect(await read(lines, { maxChars: 4 })).toMatchObject({ next: 3 });
  expect(await read(lines, { offset: 9 })).toMatchObject({ lines: [], total: 4 });
});

test("a line of any length costs what is shown of it, and the next one is read as well", async () => {
  const long = `${"ä".repeat(1_000_000)}\r\nend`;
  const found = await read(long);
  expect(found).toMatchObject({
    lines: [
      { text: "ä".repeat(100), isCut: true },
      { text: "end", isCut: false },
    ],
  });
});

test("a NUL or what is no UTF-8 in the first 8 KiB is binary, a character cut there is not", async () => {
  expect(await texts("a\0b")).toEqual(["binary"]);
  expect(await texts(Buffer.from([0x61, 0xff, 0x62]))).toEqual(["binary"]);
  expect((await read(`${"x".repeat(8_191)}ä`)).kind).toBe("text");
});
