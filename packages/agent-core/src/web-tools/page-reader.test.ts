import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { pdfOf } from "../testing/index.ts";
import { createPageReader } from "./page-reader.ts";

const { signal } = new AbortController();
const MIB = 1024 * 1024;

/** A PDF whose page unpacks to so many bytes. */
function packedPdf(bytes: number): Uint8Array {
  const packed = deflateSync(Buffer.alloc(bytes, " ")).toString("latin1");
  const stream = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`;
  const [start = "", end = ""] = Buffer.from(pdfOf("text"))
    .toString("latin1")
    .split(/<< \/Length[\s\S]*endstream/);
  return Buffer.from(`${start}${stream}${end}`, "latin1");
}

test("a page that unpacks to more than it may take is ended, and others are read", async () => {
  const reader = createPageReader({ timeoutMs: 60_000, unpackedBytes: 32 * MIB });
  const bomb = packedPdf(96 * MIB);
  expect(bomb.length).toBeLessThan(MIB);
  await expect(reader.read({ kind: "pdf", bytes: bomb }, signal)).rejects.toMatchObject({ code: "page.too-large" });
  expect(await reader.read({ kind: "pdf", bytes: packedPdf(1_000) }, signal)).toMatchObject({ pages: 1 });
  expect(await reader.read({ kind: "pdf", bytes: pdfOf("Hello") }, signal)).toMatchObject({ text: "Hello" });
});

test("no more pages wait than may", async () => {
  const reader = createPageReader({ timeoutMs: 60_000, waiting: 1 });
  const read = () => reader.read({ kind: "pdf", bytes: pdfOf("Hello") }, signal);
  const held = [read(), read(), read()];
  await expect(read()).rejects.toMatchObject({ code: "page.busy", retryable: true });
  expect((await Promise.all(held)).map(({ text }) => text)).toEqual(["Hello", "Hello", "Hello"]);
});
