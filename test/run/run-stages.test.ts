import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runStages, type Stage } from "./run-stages.ts";
import { slowestFiles } from "./slowest-files.ts";

const root = new URL("../..", import.meta.url).pathname;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "run-stages-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function stagesOf(stages: readonly Stage[]) {
  const lines: string[] = [];
  const result = await runStages(stages, { cwd: folder, print: (line) => lines.push(line.trim()) });
  return { result, lines };
}

const node = (code: string) => [process.execPath, "-e", code] as [string, ...string[]];
const leaveCounts = (counts: object, exit = 0) =>
  node(`require("fs").writeFileSync(process.env.TEST_COUNTS_FILE, '${JSON.stringify(counts)}'); process.exit(${exit})`);

test("the counts of all stages are added up", async () => {
  const { result, lines } = await stagesOf([
    { title: "build", commands: [node("")] },
    { title: "rules", commands: [leaveCounts({ passed: 3, failed: 0 })], counts: true },
    { title: "tests", commands: [leaveCounts({ passed: 4, failed: 0 })], counts: true },
  ]);
  expect(result).toEqual({ passed: 7, failed: 0, failedStage: undefined, files: [] });
  expect(lines[0]).toBe("[1/3] build");
});

test("the first stage that fails is the last that runs", async () => {
  const { result, lines } = await stagesOf([
    { title: "build", commands: [node("process.exit(2)")] },
    { title: "tests", commands: [leaveCounts({ passed: 1, failed: 0 })], counts: true },
  ]);
  expect(result).toEqual({ passed: 0, failed: 1, failedStage: "build", files: [] });
  expect(lines.join("\n")).not.toContain("[2/2]");
});

test("commands beside each other run at the same time, and the output of each is shown in one piece", async () => {
  // Each goes on once the other has begun.
  const meet = (own: string, other: string) =>
    node(`const fs = require("fs"); console.log("${own} begun"); fs.writeFileSync("${own}", "");
      const look = () => fs.existsSync("${other}") ? console.log("${own} met") : setTimeout(look, 5); look();`);
  const { result, lines } = await stagesOf([
    { title: "pair", commands: [meet("one", "two"), meet("two", "one")], beside: true },
  ]);
  expect(result).toMatchObject({ failed: 0, failedStage: undefined });
  expect(lines.slice(1, 3).sort()).toEqual(["one begun\none met", "two begun\ntwo met"]);
});

test("every command beside others ends, and each that fails is named and counts", async () => {
  const { result, lines } = await stagesOf([
    { title: "pair", commands: [node("process.exit(3)"), node("process.exit(4)"), node("")], beside: true },
    { title: "tests", commands: [node("")] },
  ]);
  expect(result).toMatchObject({ passed: 0, failed: 2, failedStage: "pair" });
  expect(lines.filter((line) => line.startsWith("[1/2] pair: failed at"))).toHaveLength(2);
});

test.each([
  ["failed tests", leaveCounts({ passed: 5, failed: 2 }, 1), { passed: 5, failed: 2 }],
  ["a failing exit code though every test passed", leaveCounts({ passed: 5, failed: 0 }, 1), { passed: 5, failed: 1 }],
  ["a run that never reported", node(""), { passed: 0, failed: 1 }],
  ["a program that is not there", ["no-such-program"] as [string, ...string[]], { passed: 0, failed: 1 }],
])("%s fail the stage", async (_what, command, counts) => {
  const { result } = await stagesOf([{ title: "tests", commands: [command], counts: true }]);
  expect(result).toEqual({ ...counts, failedStage: "tests", files: [] });
});

test("the reporter counts passed and failed tests, and a file or group that cannot start as a failure", async () => {
  const source = `import { beforeAll, describe, expect, test } from "vitest";
    describe("a group", () => {
      beforeAll(() => { throw new Error("no ground"); });
      test("never runs", () => {});
    });
    test("adds up", () => expect(1 + 1).toBe(2));
    test("falls down", () => expect(1 + 1).toBe(3));`;
  writeFileSync(path.join(folder, "sums.test.ts"), source);
  writeFileSync(path.join(folder, "broken.test.ts"), "throw new Error('broken');");
  writeFileSync(path.join(folder, "vitest.config.mjs"), "export default {};");
  const reporter = path.join(root, "test/run/count-reporter.ts");
  const command = [path.join(root, "node_modules/.bin/vitest"), "run", `--root=${folder}`, `--reporter=${reporter}`];
  const { result } = await stagesOf([{ title: "tests", commands: [command as [string, ...string[]]], counts: true }]);
  expect(result).toMatchObject({ passed: 1, failed: 3, failedStage: "tests" });
  expect(result.files.map(({ file }) => file).sort()).toEqual(["broken.test.ts", "sums.test.ts"]);
  for (const { ms } of result.files) expect(ms).toBeGreaterThanOrEqual(0);
});

test("the slowest files are printed, the slowest first, with the sum of all", () => {
  const files = Array.from({ length: 20 }, (_, i) => ({ file: `${i}.test.ts`, ms: i * 1_000 }));
  const [head, first, ...rest] = slowestFiles(files);
  expect([head, first]).toEqual([" seconds  slowest test files", "    19.0  19.test.ts"]);
  expect(rest).toHaveLength(15);
  expect(rest.at(-1)).toBe("   190.0  all 20 files");
});
