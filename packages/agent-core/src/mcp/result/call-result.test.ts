import fc from "fast-check";
import { expect, test } from "vitest";
import { readCallResult } from "./index.ts";

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100)]);
const png = { type: "image", mimeType: "image/png", data: PNG.toString("base64") };
const read = (result: unknown, maxChars: number | null = null) =>
  readCallResult(result, { maxChars, showsImages: true });
const text = (value: string) => ({ type: "text", text: value });

test("texts are joined by blank lines, embedded texts have their address above, links are links", () => {
  const resource = { uri: "file:///a.md", mimeType: "text/markdown", text: "# A" };
  const content = [
    ...[text("one"), text("two"), { type: "resource", resource }],
    { type: "resource_link", uri: "file:///b (1).md", name: "b [1]" },
  ];
  expect(read({ content })).toEqual({
    ...{ ok: true, images: [] },
    text: "one\n\ntwo\n\nfile:///a.md\n# A\n\n[b \\[1\\]](file:///b%20%281%29.md)",
  });
});

test("without any text the structured content is the result, beside a text it is not repeated", () => {
  expect(read({ content: [], structuredContent: { a: 1 } }).text).toBe('{"a":1}');
  expect(read({ content: [text("a is 1")], structuredContent: { a: 1 } }).text).toBe("a is 1");
  expect(read({ content: [png], structuredContent: { a: 1 } })).toMatchObject({ text: '{"a":1}', images: [{}] });
  expect(read({}).text).toBe("[The result is empty.]");
});

test("a failed call is one", () => {
  expect(read({ content: [text("no such file")], isError: true })).toMatchObject({ ok: false, text: "no such file" });
});

test("images of known types are images, four of a result, each of 4 MiB", () => {
  const jpeg = { type: "image", mimeType: "IMAGE/JPG", data: Buffer.from([0xff, 0xd8, 0xff, 0]).toString("base64") };
  const blob = { type: "resource", resource: { uri: "ui://x", mimeType: "image/png", blob: png.data } };
  const shown = read({ content: [png, jpeg, blob, png, png, png] });
  expect(shown.images.map(({ mimeType }) => mimeType)).toEqual(["image/png", "image/jpeg", "image/png", "image/png"]);
  expect(shown.text).toBe("[2 more images, of which a result shows 4]");
  const big = { ...png, data: Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]).toString("base64") };
  expect(read({ content: [big] })).toEqual({
    ...{ ok: true, images: [] },
    text: "[image image/png, 4.0 MiB, not shown: an image has at most 4 MiB]",
  });
});

test("where no images are shown, each is a line with type and size", () => {
  expect(readCallResult({ content: [png, png] }, { maxChars: null })).toEqual({
    ...{ ok: true, images: [] },
    text: "[image image/png, 108 bytes]\n\n[image image/png, 108 bytes]",
  });
});

test("what is no image of its type, audio and other contents are a line with type and size", () => {
  const content = [
    { ...png, mimeType: "image/gif" },
    { ...png, mimeType: "image/svg+xml" },
    { type: "audio", mimeType: "audio/wav", data: "A".repeat(4_096) },
    { type: "resource", resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: "AAAA" } },
    ...[{ type: "video" }, null],
  ];
  expect(read({ content }).text.split("\n\n")).toEqual([
    "[image image/gif, 108 bytes, not shown: it is no image of this type]",
    "[image image/svg+xml, 108 bytes]",
    "[audio audio/wav, 3 KiB]",
    "file:///a.pdf\n[application/pdf, 3 bytes]",
    ...["[A content of the type video]", "[A content without a type]"],
  ]);
});

test("a long result keeps 70 % of its beginning and 30 % of its end around a marker", () => {
  const { text: clipped } = read({ content: [text("a".repeat(5_000) + "z".repeat(5_000))] }, 1_000);
  const [, head = "", tail = ""] = /^(a+)\n\[… 9000 of 10000 characters cut …\]\n(z+)$/.exec(clipped) ?? [];
  expect(head.length / (head.length + tail.length)).toBeCloseTo(0.7, 2);
  expect(clipped.length).toBe(1_000);
});

test("property: whatever a server answers, the result is text within its bound, and images begin as their type does", () => {
  const field = fc.oneof(
    fc.string(),
    fc.constant(png.data),
    fc.jsonValue({ maxDepth: 2 }),
    fc.anything({ maxDepth: 1 }),
  );
  const type = fc.constantFrom("text", "image", "audio", "resource", "resource_link", "other");
  const keys = ["text", "mimeType", "data", "resource", "uri", "name", "blob"];
  const content = fc.oneof(
    fc.tuple(type, fc.dictionary(fc.constantFrom(...keys), field)).map(([kind, fields]) => ({ ...fields, type: kind })),
    fc.anything({ maxDepth: 1 }),
    fc.constant(png),
  );
  const result = fc.oneof(
    fc.record({ content: fc.array(content), structuredContent: field, isError: fc.anything() }, { requiredKeys: [] }),
    fc.anything(),
  );
  fc.assert(
    fc.property(result, fc.integer({ min: 1, max: 300 }), (given, maxChars) => {
      const shown = read(given, maxChars);
      expect(shown.text.length).toBeLessThanOrEqual(maxChars);
      expect(shown.images.length).toBeLessThanOrEqual(4);
      for (const { mimeType, data } of shown.images) {
        expect(mimeType).toBe("image/png");
        expect(Buffer.from(data, "base64").equals(PNG)).toBe(true);
      }
    }),
  );
});

test("no part of a secret is shown where names, addresses and texts are cut", () => {
  const secret = "correct-horse-battery-staple";
  const redact = (value: string): string => value.replaceAll(secret, "***");
  for (let at = 260; at < 310; at += 3) {
    const name = `${"n".repeat(at)}${secret}${"n".repeat(50)}`;
    const content = [{ type: "resource_link", name, uri: `file:///${"u".repeat(1_700 + at)}${secret}` }, text(name)];
    const shown = readCallResult({ content }, { maxChars: at + 40, redact }).text;
    expect([at, shown]).toEqual([at, expect.not.stringMatching(/corr|horse|batt|stap/)]);
  }
});
