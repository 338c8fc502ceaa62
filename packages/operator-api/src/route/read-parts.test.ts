import fc from "fast-check";
import { expect, it } from "vitest";
import { readParts } from "./read-parts.ts";

const LIMITS = { fileBytes: 1_000_000, otherBytes: 100_000 };

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const body = (text: string) => ({ type: "multipart/form-data; boundary=b", bytes: new TextEncoder().encode(text) });
const read = ({ type, bytes }: ReturnType<typeof body>, size = 7, limits = LIMITS) =>
  readParts(type, pieces(bytes, size), limits);

it("reads what a browser sends, in pieces of any size", async () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const name = fc.stringMatching(/^[a-zé" .]{1,12}$/);
  const text = fc
    .string({ unit: "grapheme", maxLength: 40 })
    .map((one) => one.toWellFormed().replaceAll(/\r\n?|\n/g, " "));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, fc.oneof(bytes, text)), { maxLength: 4 }),
      fc.integer({ min: 1, max: 400 }),
      async (fields, size) => {
        const form = new FormData();
        for (const [field, value] of fields)
          if (typeof value === "string") form.append(field, value);
          else form.append(field, new Blob([new Uint8Array(value)], { type: "text/x-y" }), `${field}.bin`);
        const request = new Request("http://x/", { method: "POST", body: form });
        const sent = new Uint8Array(await request.clone().arrayBuffer());
        const parts = await readParts(request.headers.get("content-type") ?? "", pieces(sent, size), LIMITS);
        expect(parts.map((part) => part.name)).toEqual(fields.map(([field]) => field));
        for (const [at, part] of parts.entries()) {
          const value = fields[at]?.[1];
          if (typeof value === "string")
            expect([part.fileName, new TextDecoder().decode(part.bytes)]).toEqual([undefined, value]);
          else
            expect(part).toMatchObject({
              fileName: `${part.name}.bin`,
              mediaType: "text/x-y",
              bytes: new Uint8Array(value ?? []),
            });
        }
      },
    ),
    { numRuns: 60 },
  );
});

it("reads quoted and encoded names, a beginning and an end that are not looked at, and empty files", async () => {
  const text = [
    ...[
      "preamble",
      "--b",
      "content-disposition: form-data; name=file; filename=\"x\"; filename*=UTF-8''a%20b.txt",
      "",
      "",
    ],
    ...["--b", 'Content-Disposition: form-data; name="a%22b"', "", "--c\r\n-- b", "--b--", "epilogue"],
  ].join("\r\n");
  expect(await read(body(text))).toMatchObject([
    { name: "file", fileName: "a b.txt", mediaType: "text/plain", bytes: new Uint8Array() },
    { name: 'a"b', fileName: undefined, bytes: new TextEncoder().encode("--c\r\n-- b") },
  ]);
});

it.each([
  ["no end", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx"],
  ["no name", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--"],
  ["no head", "--b\r\n\r\nx\r\n--b--"],
  ["something behind a delimiter", "--b x\r\n\r\nx\r\n--b--"],
  ["a head without an end", `--b\r\n${"x".repeat(20_000)}`],
  ["nothing", ""],
])("refuses a body with %s", async (_what, text) => {
  await expect(read(body(text), 1_000)).rejects.toMatchObject({ status: 400 });
});

it("refuses more than may be, before it has all of it", async () => {
  const file = `--b\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n${"y".repeat(500)}\r\n--b--`;
  expect(await read(body(file), 100, { ...LIMITS, fileBytes: 500 })).toHaveLength(1);
  let given = 0;
  const endless = async function* () {
    for await (const piece of pieces(body(file).bytes, 100)) {
      given++;
      yield piece;
    }
  };
  await expect(readParts(body(file).type, endless(), { ...LIMITS, fileBytes: 200 })).rejects.toMatchObject({
    status: 413,
  });
  expect(given).toBeLessThan(5);
  await expect(read(body(`${"z".repeat(900)}${file}`), 50, { ...LIMITS, otherBytes: 300 })).rejects.toMatchObject({
    status: 413,
  });
  const parts = "--b\r\nContent-Disposition: form-data; name=f\r\n\r\nx\r\n".repeat(300);
  await expect(read(body(`${parts}--b--`), 500)).rejects.toMatchObject({ status: 413 });
  await expect(readParts("multipart/form-data", pieces(body(file).bytes, 9), LIMITS)).rejects.toMatchObject({
    status: 400,
  });
});
