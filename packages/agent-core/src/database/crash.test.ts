import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "store-crash-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Commits as fast as it can from eight loops, two rows a command, and prints the acknowledged commands. */
const script = (path: string, round: number): string => `
  const { openDatabase } = await import(${JSON.stringify(new URL("./open-database.ts", import.meta.url).href)});
  const { writeSync } = await import("node:fs");
  const database = await openDatabase({ url: ${JSON.stringify(`file:${path}`)}, owner: { name: "doomed" } });
  const sql = "INSERT INTO n (round, i, half) VALUES (?, ?, ?)";
  if (${round} === 0) await database.commit({ label: "t", statements: [{ sql: "CREATE TABLE n (round, i, half)", args: [] }] });
  let next = 0;
  const side = async () => {
    for (;;) {
      const i = next++;
      await database.commit({ label: "t", statements: [{ sql, args: [${round}, i, 1] }, { sql, args: [${round}, i, 2] }] });
      writeSync(1, i + "\\n");
    }
  };
  await Promise.all(Array.from({ length: 8 }, side));
`;

test("whenever a process is killed, every acknowledged commit is there and none is there by half (EN9, DB1, DB3)", async () => {
  const path = join(folder, "killed.db");
  const acknowledged: Set<number>[] = [];
  for (let round = 0; round < 6; round += 1) {
    const seen = new Set<number>();
    acknowledged.push(seen);
    const child = spawn(process.execPath, ["--input-type=module", "-e", script(path, round)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    const lines = createInterface({ input: child.stdout });
    // A different number of acknowledgements each round makes a different moment of the kill.
    lines.on("line", (line) => {
      seen.add(Number(line));
      if (seen.size === 1 + round * 37) child.kill("SIGKILL");
    });
    await Promise.all([exit, once(lines, "close")]);
  }
  const database = await openDatabase({ url: `file:${path}`, owner: { name: "heir" } });
  expect(await database.read({ sql: "PRAGMA integrity_check", args: [] })).toEqual([["ok"]]);
  const halves = await database.read({ sql: "SELECT round, i, count(*) FROM n GROUP BY round, i", args: [] });
  expect(halves.filter((row) => row[2] !== 2)).toEqual([]);
  const there = new Set(halves.map(([round, i]) => `${round}/${i}`));
  const missing = acknowledged
    .flatMap((seen, round) => [...seen].map((i) => `${round}/${i}`))
    .filter((it) => !there.has(it));
  expect(missing).toEqual([]);
  expect(acknowledged.map((seen) => seen.size).every((size, round) => size > round * 37)).toBe(true);
  await database.close();
});
