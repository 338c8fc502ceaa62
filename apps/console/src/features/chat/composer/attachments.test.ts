import { expect, test } from "vitest";
import { base64Of, MAX_BYTES, type ReadPdf, readFiles as readAll } from "./attachments.ts";

const noPdf: ReadPdf = () => Promise.reject(new Error("not asked"));
const readFiles = (files: readonly File[], before: Parameters<typeof readAll>[1], readPdf = noPdf) =>
  readAll(files, before, { readPdf });

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
  const binary = new File([Uint8Array.of(0x25, 0xff, 0)], "song.mp3", { type: "audio/mpeg" });
  await expect(readFiles([binary], [])).rejects.toThrow(
    /"song.mp3" cannot be read here\. Attach pictures .*PDF or text/,
  );
  const office = new File([Uint8Array.of(0x50, 0x4b, 3, 4, 0xff, 0)], "plan.docx");
  await expect(readFiles([office], [])).rejects.toThrow(/"plan.docx" is an office file.* Save it as PDF/);
  await expect(readFiles([new File(["x".repeat(300_000)], "long.log")], [])).rejects.toThrow(/long.log.*256 kB/);
  // Browsers call TypeScript a video.
  const [source] = await readFiles([new File(["const a = 1;"], "a.ts", { type: "video/mp2t" })], []);
  expect(source?.mediaType).toBe("text/plain");
});

test("any bytes come back from their base64", () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  expect(Uint8Array.from(atob(base64Of(bytes)), (char) => char.charCodeAt(0))).toEqual(bytes);
});

test("a PDF goes along as its text, and says where only a part of it does", async () => {
  const pdf = new File(["%PDF-1.7 ..."], "report.pdf");
  const asked: string[] = [];
  const read = (truncated: boolean): ReadPdf => {
    return async ({ name, raw }) => {
      asked.push(name, atob(raw));
      return {
        text: truncated ? "x".repeat(262_144) : "Two ships.",
        pages: 9,
        pages_read: truncated ? 5 : 9,
        truncated,
      };
    };
  };
  const [whole] = await readFiles([pdf], [], read(false));
  expect([whole?.name, whole?.mediaType, atob(whole?.raw ?? "")]).toEqual(["report.pdf", "text/plain", "Two ships."]);
  const [part] = await readFiles([pdf], [], read(true));
  expect(atob(part?.raw ?? "")).toMatch(/^\[Only the beginning: the text of 5 of 9 pages/);
  expect(atob(part?.raw ?? "").length).toBe(262_144);
  expect(asked.slice(0, 2)).toEqual(["report.pdf", "%PDF-1.7 ..."]);
});

test("documents that the service reads go along as their text, or as their beginning where they are long", async () => {
  const asked: string[] = [];
  const read = (mode: "inline" | "indexed", file: File) =>
    readAll([file], [], {
      readPdf: async () => ({ text: "", pages: 900, pages_read: 1, truncated: true }),
      async readDocument({ name }) {
        asked.push(name);
        return { mode, context: "Two ships.", chars: 9_000 };
      },
    });
  const office = new File([Uint8Array.of(0x50, 0x4b, 3, 4, 0xff, 0)], "plan.docx");
  const [whole] = await read("inline", office);
  expect([whole?.name, whole?.mediaType, atob(whole?.raw ?? "")]).toEqual(["plan.docx", "text/plain", "Two ships."]);
  const [part] = await read("indexed", new File(["%PDF-1.7 ..."], "report.pdf"));
  expect(atob(part?.raw ?? "")).toMatch(/^\[The beginning of 9000 characters.*\]\n\nTwo ships\.$/);
  await read("indexed", new File(["x".repeat(300_000)], "long.log"));
  // Larger than a message: it is the service that reads it.
  await read("indexed", new File(["%PDF-1.7 ", new Uint8Array(MAX_BYTES)], "book.pdf"));
  expect(asked).toEqual(["plan.docx", "report.pdf", "long.log", "book.pdf"]);
  const [source] = await read("inline", new File(["x = 1"], "a.py"));
  expect(atob(source?.raw ?? "")).toBe("x = 1");
  const broken = readAll([office], [], {
    readPdf: noPdf,
    readDocument: () => Promise.reject(new Error("It is locked.")),
  });
  await expect(broken).rejects.toThrow('"plan.docx" cannot be read: It is locked.');
});
