import { createPageReader } from "@agent-service/agent-core/host";
import { pdfOf } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { FILE_TEXT_LIMITS, fileTextReader } from "./file-text.ts";

const file = (bytes: Uint8Array, more: object = {}) => ({
  ...{ name: "report.pdf", media_type: "application/pdf", data: Buffer.from(bytes).toString("base64") },
  ...more,
});
const { signal } = new AbortController();
const read = fileTextReader();

it("gives the text of a PDF, page after page", async () => {
  const found = await read(file(pdfOf("First page", "Second page"), { media_type: "" }), signal);
  expect(found).toEqual({ text: "First page\n\nSecond page", pages: 2, pages_read: 2, truncated: false });
});

it("ends after its pages and its bytes, and says so", async () => {
  const pages = Array.from({ length: FILE_TEXT_LIMITS.pages + 1 }, (_, index) => `Page ${index + 1}`);
  expect(await read(file(pdfOf(...pages)), signal)).toMatchObject({ pages: 501, pages_read: 500, truncated: true });
  const full = Array.from({ length: 90 }, () => "é".repeat(80)).join("\n");
  const long = await read(file(pdfOf(...Array.from({ length: 60 }, () => full))), signal);
  expect([Buffer.byteLength(long.text) <= FILE_TEXT_LIMITS.bytes, long.truncated]).toEqual([true, true]);
  expect(Buffer.byteLength(long.text)).toBeGreaterThan(FILE_TEXT_LIMITS.bytes - 4);
});

it.each([
  ["unreadable", /cannot be read: it is damaged, or locked/, file(Buffer.from("%PDF-1.4 broken"))],
  ["no_text", /holds no text, only pictures/, file(pdfOf(""))],
  ["unsupported", /is no PDF/, file(Buffer.from("PK"), { media_type: "application/zip" })],
])("refuses what it cannot read: %s", async (code, message, asked) => {
  await expect(read(asked, signal)).rejects.toMatchObject({
    status: 400,
    detail: { code, message: expect.stringMatching(message) },
  });
});

it("says that a PDF takes too long", async () => {
  const late = fileTextReader(createPageReader({ timeoutMs: 1 }));
  await expect(late(file(pdfOf("Slow")), signal)).rejects.toMatchObject({
    detail: { code: "unreadable", message: expect.stringContaining("takes too long") },
  });
});

it("refuses a PDF that unpacks to too much, and one too many to wait", async () => {
  const small = fileTextReader(createPageReader({ timeoutMs: 60_000, unpackedBytes: 1 }));
  const pages = Array.from({ length: 500 }, () => "Page");
  await expect(small(file(pdfOf(...pages)), signal)).rejects.toMatchObject({
    detail: { code: "unreadable", message: expect.stringContaining("takes too much memory") },
  });
  const full = fileTextReader(createPageReader({ timeoutMs: 60_000, waiting: 0 }));
  await expect(full(file(pdfOf("One")), signal)).rejects.toMatchObject({ status: 429 });
});
