import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { digestOf, ImageFiles } from "./image-files.ts";

let folder: string;
let images: ImageFiles;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "images-")), "history");
  images = new ImageFiles(folder, 1_000_000);
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const content = Buffer.from("what the file held\n".repeat(100));
const digest = digestOf(content);
const torn = (): void => {
  mkdirSync(join(folder, digest.slice(0, 2)), { recursive: true });
  writeFileSync(join(folder, digest.slice(0, 2), digest), "");
};

it("are written anew where no row names what lies there: a crash may have torn it (FC1)", async () => {
  torn();
  await images.keep(digest, content, async () => false);
  expect(await images.read(digest)).toEqual(content);
  torn();
  expect(await images.keep(digest, content, async (named) => named === digest)).toBe(0);
  expect(await images.read(digest)).toBeUndefined();
});

it("are kept, small or large, also after somebody removed their folder", async () => {
  const large = Buffer.alloc(200_000, "large ");
  for (const one of [content, large]) {
    rmSync(folder, { recursive: true, force: true });
    const bytes = await images.keep(digestOf(one), one, async () => false);
    expect(bytes).toBeLessThan(one.length / 10);
    expect(await images.read(digestOf(one))).toEqual(one);
  }
});
