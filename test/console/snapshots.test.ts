/** The main screens as pictures, compared with those that are checked in. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtConsole } from "./rig/built-console.ts";
import { type ConsoleRig, startConsoleRig } from "./rig/console-rig.ts";
import { differenceOf, toleranceOf } from "./rig/small-picture.ts";
import { MAIN_SCREENS, SNAPSHOTS, type Snapshot, withSnapshots } from "./rig/snapshots.ts";

const seen = new URL("../../.cache/snapshots/", import.meta.url).pathname;
const MOST_BYTES = 1_500_000;

let rig: ConsoleRig;

beforeAll(async () => {
  rig = await startConsoleRig((await builtConsole()).folder);
});

afterAll(() => rig?.[Symbol.asyncDispose]());

const known = (name: string): PNG => PNG.sync.read(readFileSync(path.join(SNAPSHOTS, `${name}.png`)));
const shareOf = ({ name, picture }: Snapshot): number => differenceOf(known(name), picture).share;

/** The style of a page is changed as a script of its own might do it. */
const styled = (css: string) => async (page: { evaluate(run: (css: string) => void, css: string): Promise<void> }) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, css);

test("the main screens look as their pictures, in both themes", async () => {
  const different: string[] = [];
  await withSnapshots(rig, async (take) => {
    for (const screen of MAIN_SCREENS) {
      for (const { name, picture } of await take(screen)) {
        const { share, picture: marked } = differenceOf(known(name), picture);
        if (share <= toleranceOf(name)) continue;
        mkdirSync(seen, { recursive: true });
        writeFileSync(path.join(seen, `${name}.png`), PNG.sync.write(picture));
        writeFileSync(path.join(seen, `${name}-difference.png`), PNG.sync.write(marked));
        different.push(`${name}: ${(share * 100).toFixed(1)} % differs, see ${seen}${name}.png`);
      }
    }
  });
  expect(different, "where that is meant: pnpm snapshots:update, and look at the pictures").toEqual([]);
});

test("another face of text is no difference; a missing rail, and a page without its style, are", async () => {
  await withSnapshots(rig, async (take) => {
    const otherFace = await take("approvals", styled("* { letter-spacing: -0.04em }"));
    const noRail = await take("approvals", styled('nav[aria-label="Screens"] { display: none }'));
    const noStyle = await take("approvals", (page) =>
      page.evaluate(() => document.querySelectorAll("link[rel=stylesheet]").forEach((link) => void link.remove())),
    );
    for (const one of otherFace) expect(shareOf(one)).toBeLessThanOrEqual(toleranceOf(one.name));
    for (const one of noRail) expect(shareOf(one)).toBeGreaterThan(toleranceOf(one.name));
    for (const one of noStyle) expect(shareOf(one)).toBeGreaterThan(0.1);
  });
});

test("the pictures that are checked in are those of the main screens, and small", () => {
  const names = readdirSync(SNAPSHOTS);
  expect(names.toSorted()).toEqual(
    MAIN_SCREENS.flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]).toSorted(),
  );
  const bytes = names.reduce((sum, name) => sum + statSync(path.join(SNAPSHOTS, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
