/** Every journey is run, and by one test file only: the shares are made from what lies in `journeys/`. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type JourneysFile, journeysFiles, shareFiles } from "./rig/share-journeys.ts";

const here = new URL("./", import.meta.url);
const SHARES = 4;

test("the test files of journeys run each share once", () => {
  const found = readdirSync(here).filter((name) => /^journeys.*\.test\.ts$/.test(name));
  const runs = found.sort().map((name) => /runShare\((\d+), (\d+)\);/.exec(readFileSync(new URL(name, here), "utf8")));
  const expected = Array.from({ length: SHARES }, (_, index) => [`${index + 1}`, `${SHARES}`]);
  expect(runs.map((call) => call?.slice(1))).toEqual(expected);
});

test("every file in journeys/ is in one share, and none is without journeys", async () => {
  const inFolder = readdirSync(new URL("journeys/", here)).sort();
  const files = await journeysFiles();
  const shared = shareFiles(files, SHARES).flat();
  expect(shared.map(({ name }) => name).sort()).toEqual(inFolder);
  expect(files.filter(({ journeys }) => journeys.length === 0)).toEqual([]);
});

test("the shares take about as long, and no two journeys have one title", async () => {
  const files = await journeysFiles();
  const sizes = shareFiles(files, SHARES).map(countOf);
  const largestFile = Math.max(...files.map(({ journeys }) => journeys.length));
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(largestFile);
  const titles = files.flatMap(({ journeys }) => journeys.map(({ title }) => title));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

function countOf(share: readonly JourneysFile[]): number {
  return share.reduce((sum, { journeys }) => sum + journeys.length, 0);
}
