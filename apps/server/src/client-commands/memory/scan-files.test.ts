import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { passagesOf, scanFiles } from "./scan-files.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scan-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CANARY = 'The heron "Tilly" nests behind the quarry, as everybody\nbut the storks has known for years and years.';

it("cuts texts into passages that any file holds as they are, and leaves out what is too short", () => {
  const passages = passagesOf([CANARY, "a", '"x"']);
  expect(passages).toEqual([
    "The heron",
    "nests behind the quarry, as everybody",
    ...["but the storks has known for years and ", "s known for years and years."].map((one) =>
      expect.stringContaining(one.slice(0, 8)),
    ),
  ]);
  expect(passagesOf([Array.from({ length: 40_000 }, (_, no) => `word${no}`).join(" ")]).length).toBeLessThanOrEqual(
    400,
  );
});

it("finds them in files, below folders, across two reads and in what lies beside a database, and nothing where nothing is", async () => {
  const passages = passagesOf([CANARY]);
  const database = join(folder, "agent.db");
  writeFileSync(database, "nothing of the kind");
  writeFileSync(`${database}-wal`, `\0\0${JSON.stringify({ text: CANARY })}\0`);
  mkdirSync(join(folder, "memory"));
  writeFileSync(
    join(folder, "memory", "s.json"),
    `${"x".repeat(4 * 1024 * 1024 - 10)}nests behind the quarry, as everybody`,
  );
  const scanned = await scanFiles([database, join(folder, "memory"), join(folder, "none")], passages);
  expect(scanned.map(({ path, found }) => [path.slice(folder.length + 1), found > 0])).toEqual([
    ["agent.db", false],
    ["agent.db-wal", true],
    [join("memory", "s.json"), true],
  ]);
});

it("returns the files that exist at the end when a service replaces some during the scan", async () => {
  const memory = join(folder, "memory");
  const inFolder = (name: string) => join(memory, name);
  mkdirSync(join(memory, "short"), { recursive: true });
  writeFileSync(inFolder("kept.json"), "nothing of the kind");
  const steps: readonly (() => void)[] = [
    () => writeFileSync(inFolder(".s.json.tmp"), CANARY),
    () => renameSync(inFolder(".s.json.tmp"), inFolder("s.json")),
    () => {
      rmSync(inFolder("short"), { recursive: true });
      writeFileSync(inFolder(".s.json.tmp"), "another summary");
    },
    () => renameSync(inFolder(".s.json.tmp"), inFolder("s.json")),
  ];
  let next = 0;
  const places = {
    // What follows the last place happens between listing and reading.
    *[Symbol.iterator]() {
      yield memory;
      steps[next++]?.();
    },
  };
  const scanned = await scanFiles(places, passagesOf([CANARY]));
  expect(scanned.map(({ path, found }) => [path.slice(memory.length + 1), found])).toEqual([
    ["kept.json", 0],
    ["s.json", 0],
  ]);
  expect(next).toBeGreaterThan(steps.length);
});

it("finds a passage in a file that is renamed during the scan", async () => {
  const memory = join(folder, "memory");
  mkdirSync(memory);
  writeFileSync(join(memory, "b.json"), CANARY);
  const move = [
    () => renameSync(join(memory, "b.json"), join(memory, "a.json")),
    () => renameSync(join(memory, "a.json"), join(memory, "c.json")),
  ];
  const places = {
    *[Symbol.iterator]() {
      yield memory;
      move.shift()?.();
    },
  };
  const scanned = await scanFiles(places, passagesOf([CANARY]));
  expect(scanned.map(({ path, found }) => [path, found > 0])).toEqual([[join(memory, "c.json"), true]]);
});

it("rejects when files are replaced continuously", async () => {
  const file = join(folder, "memory.json");
  const places = {
    *[Symbol.iterator]() {
      writeFileSync(`${file}.tmp`, "one more");
      renameSync(`${file}.tmp`, file);
      yield file;
    },
  };
  await expect(scanFiles(places, passagesOf([CANARY]))).rejects.toThrow("replaced faster than they can be read");
});
