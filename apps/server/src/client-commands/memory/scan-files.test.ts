import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
