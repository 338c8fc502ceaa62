import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { TestModule } from "vitest/node";
import { BOUND_TESTS } from "./bound-tests.ts";
import boundsReporter from "./bounds-reporter.ts";
import { boundsTable } from "./bounds-table.ts";
import { boundsFileVariable, type ReportedBound } from "./reported-bound.ts";

const most = (found: number, limit: number, more: Partial<ReportedBound> = {}): ReportedBound => ({
  ...{ what: "it", found, most: limit, unit: "MiB", ...more },
});

test("a bound is a row of what was found, what it may be, and whether it is held", () => {
  const prefix = { what: "prefix", found: 96.123, least: 95, unit: "%" };
  expect(boundsTable(["it", "prefix"], [prefix, most(4_000_000, 4_000_000)])).toEqual({
    lines: [
      "what    found          bound              held",
      "------  -------------  -----------------  ----",
      "it      4,000,000 MiB  at most 4,000,000  yes",
      "prefix  96.12 %        at least 95        yes",
    ],
    isHeld: true,
  });
});

test.each<[string, ReportedBound, boolean]>([
  ["more than the most", most(17, 16), false],
  ["less than the least", { what: "it", found: 94.9, least: 95, unit: "%" }, false],
  ["exactly the most", most(16, 16), true],
  ["exactly the least", { what: "it", found: 95, least: 95, unit: "%" }, true],
  ["what is no number", most(Number.NaN, 16), false],
  ["what lost its number on the way", { ...most(1, 16), found: null as unknown as number }, false],
  ["a bound without a limit", { what: "it", found: 1, unit: "MiB" }, false],
])("%s: held or not", (_what, bound, isHeld) => {
  const table = boundsTable(["it"], [bound]);
  expect([table.isHeld, table.lines.at(-1)?.endsWith(isHeld ? "yes" : "NO")]).toEqual([isHeld, true]);
});

test("what no test reported is not held, and what is reported beside the list is shown and held too", () => {
  const { lines, isHeld } = boundsTable(["it", "missing"], [most(1, 2)]);
  expect([isHeld, lines.at(-1)]).toEqual([false, expect.stringMatching(/^missing {2}–.*NOT REPORTED$/)]);
  const beside = boundsTable(["it"], [most(1, 2), most(3, 2, { what: "beside" })]);
  expect([beside.isHeld, beside.lines.at(-1)]).toEqual([false, expect.stringMatching(/^beside .*NO$/)]);
});

test("the reporter leaves what tests reported in the file of the run, and nothing where none is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "bounds-"));
  try {
    const file = join(folder, "reported.json");
    const of = (...bounds: ReportedBound[][]) => ({
      children: { allTests: () => bounds.map((reported) => ({ meta: () => ({ bounds: reported }) })) },
    });
    const plain = { children: { allTests: () => [{ meta: () => ({}) }] } };
    const modules = [of([most(1, 2)], [most(3, 4), most(5, 6)]), plain] as unknown as readonly TestModule[];
    vi.stubEnv(boundsFileVariable, undefined);
    boundsReporter().onTestRunEnd?.(modules, [], "passed");
    expect(existsSync(file)).toBe(false);
    vi.stubEnv(boundsFileVariable, file);
    boundsReporter().onTestRunEnd?.(modules, [], "passed");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([most(1, 2), most(3, 4), most(5, 6)]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

test.each(BOUND_TESTS)("$file has the test that is to report bounds, and it does", ({ file, title }) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const [, after = "", ...others] = text.split(title);
  // Before the next test begins.
  const [own = ""] = after.split(/^\s*(?:it|test)\b/m);
  expect([others, /\bmeta\.bounds = \[/.test(own)]).toEqual([[], true]);
});
