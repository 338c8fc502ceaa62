/** The list of requirements and the tests that show them belong together, and the page shows both. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readSourceTree, treeOf } from "../architecture/source-tree.ts";
import { citationsIn } from "./citations.ts";
import { differences } from "./differences.ts";
import { conformanceReport, REPORT_PATH } from "./report.ts";
import { requirements } from "./requirements.ts";

const root = path.join(import.meta.dirname, "../..");
const citations = citationsIn(readSourceTree(root));
const cited = new Set(citations.map(({ id }) => id));
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe("the requirements of the protocol", () => {
  test("are there once each: 234 of 1.0.1 and 85 of 0.3.0", () => {
    const counts = ["1.0", "0.3"].map((version) => requirements.filter((one) => one.version === version).length);
    expect(counts).toEqual([234, 85]);
    expect(new Set(idsOf(requirements)).size).toBe(requirements.length);
    for (const { id } of requirements) expect(id).toMatch(/^R(10|03)-[A-Z]?[\w.:]+-\d+$/);
  });

  test("are each shown by a test where they are met, and have a reason where they are not", () => {
    const unshown = requirements.filter(({ id, status }) => status === "met" && !cited.has(id));
    expect(idsOf(unshown)).toEqual([]);
    const unexplained = requirements.filter(({ status, why }) => status !== "met" && !why);
    expect(idsOf(unexplained)).toEqual([]);
  });

  test("are not claimed by a test where they do not apply", () => {
    const claimed = requirements.filter(({ id, status }) => status === "not applicable" && cited.has(id));
    expect(idsOf(claimed)).toEqual([]);
  });
});

test("every deliberate difference from the protocol is shown by a test", () => {
  expect(idsOf(differences).filter((id) => !cited.has(id))).toEqual([]);
});

test("no test names a requirement that is none", () => {
  const known = new Set([...idsOf(requirements), ...idsOf(differences)]);
  const unknown = citations.filter(({ id }) => !known.has(id));
  expect(unknown.map(({ id, file, line }) => `${file}:${line} ${id}`)).toEqual([]);
});

test("the page equals the output of `pnpm conformance:report`", () => {
  const page = readFileSync(path.join(root, REPORT_PATH), "utf8");
  expect(page).toBe(conformanceReport({ requirements, differences, citations }));
});

test("only the titles of tests cite, whole ids and parts of ids alike", () => {
  const tree = treeOf({
    "packages/p/src/a.test.ts": `
      // R10-1.1-1
      describe("of R10-2.2-2", () => {
        it("shows this [R10-3.1.2-4, R03-T:ext-1]", () => expect("R10-4-1").toBe(1));
        it.each([["R10-5.5-1"]])("shows %s (R10-P:wait-1), and DEV-some-thing.", () => {});
        test("is imprecise about R10-3.1.", () => {});
      });`,
    "packages/p/src/a.ts": `it("is no test R10-6-1", () => {});`,
  });
  const found = citationsIn(tree).map(({ id, line }) => [id, line]);
  expect(found).toEqual([
    ["R10-3.1.2-4", 4],
    ["R03-T:ext-1", 4],
    ["R10-P:wait-1", 5],
    ["DEV-some-thing", 5],
    ["R10-3.1", 6],
  ]);
});

test("the page documents what the protocol wants documented: contexts, authorization, what each level may do [R10-3.4.1-5, R10-13.1-9, R10-13.3-4]", () => {
  const page = readFileSync(path.join(root, REPORT_PATH), "utf8");
  const documented = page.slice(page.indexOf("## What the protocol wants documented"), page.indexOf("## A2A 1.0.1"));
  for (const word of [
    "checkpoint.conversation_max_age_days",
    "checkpoint.max_age_days",
    "| operator |",
    "| federation |",
    "| none |",
  ]) {
    expect(documented).toContain(word);
  }
  expect(documented).toMatch(/extended card is the public card/);
});
