import { expect, test } from "vitest";
import { base64Of, MAX_BYTES, readFiles } from "./attachments.ts";

test("files go along with their type and name, text by its ending", async () => {
  const image = new File([Uint8Array.of(1, 2, 3)], "a.png", { type: "image/png" });
  const source = new File(["x = 1"], "a.py");
  expect(await readFiles([image, source], [])).toEqual([
    { name: "a.png", mediaType: "image/png", raw: "AQID" },
    { name: "a.py", mediaType: "text/plain", raw: btoa("x = 1") },
  ]);
});

test("too many and too large files are refused, with those chosen before", async () => {
  const large = new File([new Uint8Array(MAX_BYTES)], "large.png", { type: "image/png" });
  const [kept] = await readFiles([large], []);
  await expect(readFiles([new File(["xx"], "b.txt")], kept === undefined ? [] : [kept])).rejects.toThrow("b.txt");
  const many = Array.from({ length: 11 }, (_, no) => new File([], `${no}`));
  await expect(readFiles(many, [])).rejects.toThrow("At most 10");
});

test("what no model can be given is refused when it is attached, with what can be", async () => {
  const pdf = new File([Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0xff, 0)], "report.pdf", { type: "application/pdf" });
  await expect(readFiles([pdf], [])).rejects.toThrow(/"report.pdf" cannot be read here\. Attach pictures .* or text/);
  await expect(readFiles([new File(["x".repeat(300_000)], "long.log")], [])).rejects.toThrow(/long.log.*256 kB/);
  // Browsers call TypeScript a video.
  const [source] = await readFiles([new File(["const a = 1;"], "a.ts", { type: "video/mp2t" })], []);
  expect(source?.mediaType).toBe("text/plain");
});

test("any bytes come back from their base64", () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  expect(Uint8Array.from(atob(base64Of(bytes)), (char) => char.charCodeAt(0))).toEqual(bytes);
});
