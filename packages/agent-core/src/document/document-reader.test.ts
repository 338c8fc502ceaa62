import { expect, it } from "vitest";
import { pdfOf } from "../testing/pdf-of.ts";
import { DOCUMENT_LIMITS, type DocumentInput, type Piece, readDocument } from "./index.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function read(text: string | Uint8Array, more: Partial<DocumentInput> = {}, readMs?: number) {
  const bytes = typeof text === "string" ? bytesOf(text) : text;
  const { signal } = new AbortController();
  const redact = (part: string) => part.replaceAll("hunter2", "***");
  const document = await readDocument(
    { bytes, name: "", mediaType: "", url: "", ...more },
    { redact, signal, ...(readMs !== undefined && { readMs }) },
  );
  const pieces: Piece[] = [];
  for (let next = await document.next(7); next.length > 0; next = await document.next(7)) pieces.push(...next);
  await document.close();
  return { ...document, pieces, count: document.pieces };
}

it("cuts a text where its paragraphs end, and loses nothing of it", async () => {
  const paragraphs = Array.from({ length: 60 }, (_, i) =>
    `Paragraph ${i}. ${`word${i} `.repeat(20 + (i % 50))}`.trim(),
  );
  const { pieces, count, type } = await read(paragraphs.join("\n\n"));
  expect([type, pieces.length]).toEqual(["text", count]);
  expect(pieces.every(({ text }) => text.length <= DOCUMENT_LIMITS.pieceChars)).toBe(true);
  for (const paragraph of paragraphs)
    expect(pieces.some(({ text }) => text.includes(paragraph.slice(0, 100)))).toBe(true);
});

it("parts no letter, and ends with a text that has no place to cut", async () => {
  const { pieces } = await read("😀".repeat(5_000));
  expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true);
  const whole = await read("一".repeat(100_000));
  expect(whole.pieces.length).toBeLessThan(110);
});

it("names the sections of Markdown by their headings, and its title by the front matter", async () => {
  const text = '---\ntitle: "Ferns"\n---\n# One\na\n### Deep\nb\n```\n# no heading\n```\n# Two ##\nc\n';
  const { title, pieces } = await read(text, { name: "x.md" });
  expect(title).toBe("Ferns");
  expect(pieces.map(({ heading }) => heading)).toEqual(["", "One", "One › Deep", "Two"]);
  expect(pieces[2]?.text).toContain("# no heading");
});

it("cleans every text before it is cut, so that no cut parts a secret", async () => {
  const filler = "x".repeat(DOCUMENT_LIMITS.pieceChars - 4);
  const { pieces, title } = await read(`# hunter2\n\n${filler} hunter2 y`, { mediaType: "text/markdown" });
  expect(title).toBe("***");
  expect(JSON.stringify(pieces)).not.toMatch(/hunter|unter2|nter2/);
});

it.each<[string, string | Uint8Array, Partial<DocumentInput>, string]>([
  ["a PDF whatever its name", pdfOf("Hello"), { name: "x.txt", mediaType: "text/plain" }, "pdf"],
  ["a page whatever its name", "<!doctype html><p>Hello", { name: "x.md" }, "html"],
  ["by its name", "a,b", { name: "x.CSV", mediaType: "text/plain" }, "csv"],
  ["as declared", "{}", { mediaType: "application/json; charset=utf-8" }, "json"],
  ["UTF-16", Buffer.from("\ufeffHello", "utf16le"), {}, "text"],
  ["a name that is a member of every object", "a", { name: "x.constructor", mediaType: "__proto__" }, "text"],
])("takes a document for what it is: %s", async (_, content, more, type) => {
  expect((await read(content, more)).type).toBe(type);
});

it.each<[string, string | Uint8Array, string]>([
  ["blanks", " \n\t ", "document.empty"],
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n\0\0"), "document.unsupported"],
  ["half a PDF", Buffer.from(pdfOf("Hello")).subarray(0, 40), "document.unreadable"],
  ["more text than may be", "word ".repeat(5_000_000), "document.too-large"],
])("refuses %s", async (_, content, code) => {
  await expect(read(content)).rejects.toMatchObject({ code });
});

it("ends with what takes too long, and with a caller who leaves", async () => {
  await expect(read("a", {}, 0)).rejects.toMatchObject({ code: "document.slow" });
  const input = { bytes: bytesOf("a"), name: "", mediaType: "", url: "" };
  const leaving = new AbortController();
  const reading = readDocument(input, { redact: (text) => text, signal: leaving.signal });
  leaving.abort(new Error("left"));
  await expect(reading).rejects.toThrow("left");
});
