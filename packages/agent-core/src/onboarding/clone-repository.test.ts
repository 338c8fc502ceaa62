/** Clones that stall or grow, from servers on loopback (F20). */
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../clock/index.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { Processes } from "../process/index.ts";
import { CLONE_LIMITS, Cloning } from "./index.ts";

let base: string;
let db: Database;
let processes: Processes;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "cloning-")));
  mkdirSync(join(base, "root"));
  db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  const log = { warn: () => {}, debug: () => {} };
  processes = new Processes({ db, clock: systemClock(), log, newId: () => crypto.randomUUID(), graceMs: 300 });
});
afterAll(async () => {
  await processes.stop();
  await db.close();
  rmSync(base, { recursive: true, force: true });
});

async function cloneFrom(
  listener: RequestListener,
  limits: Partial<Record<keyof typeof CLONE_LIMITS, number>>,
  signal = new AbortController().signal,
) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const cloning = new Cloning({
    settings: () => ({ root: join(base, "root"), allow: ["**"] }),
    makeRoot: (root) => root,
    addressesOf: async () => ({ addresses: ["127.0.0.1"], isNamed: true }),
    programs: processes,
    clock: systemClock(),
    environment: () => ({ PATH: process.env.PATH ?? "" }),
    limits: { ...CLONE_LIMITS, ...limits },
  });
  try {
    return await cloning.clone(`http://git.example.org:${port}/example/app`, undefined, signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const left = (): readonly string[] => readdirSync(join(base, "root"));

test("one that stalls ends at its time, one that is canceled at once, and nothing is left behind", async () => {
  await expect(cloneFrom(() => {}, { milliseconds: 300 })).rejects.toMatchObject({ code: "onboarding.timeout" });
  const canceled = new AbortController();
  const reason = new Error("canceled");
  await expect(cloneFrom(() => canceled.abort(reason), {}, canceled.signal)).rejects.toBe(reason);
  expect(left()).toEqual([]);
});

test("what processes that have ended left half cloned is removed, and what another clones into stays", async () => {
  const ended = spawnSync(process.execPath, ["-e", ""]).pid;
  const others = `.cloning-${process.ppid}-1`;
  for (const name of [`.cloning-${ended}-1`, ".cloning-3f2a9c1e", `.cloning-${process.pid}-1`, others, "kept"])
    mkdirSync(join(base, "root", name, "clone"), { recursive: true });
  await expect(cloneFrom(() => {}, { milliseconds: 300 })).rejects.toMatchObject({ code: "onboarding.timeout" });
  expect(left().toSorted()).toEqual([others, "kept"]);
  for (const name of left()) rmSync(join(base, "root", name), { recursive: true });
});

test("one that grows too large is removed, and none begins in a folder that is full", async () => {
  const served = join(base, "served");
  mkdirSync(served);
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.org", ...args], {
      cwd: served,
      stdio: "pipe",
    });
  git("init", "-q");
  writeFileSync(join(served, "noise"), randomBytes(300_000));
  git("add", "-A");
  git("commit", "-qm", "noise");
  git("update-server-info");
  const { readFileSync } = await import("node:fs");
  const files: RequestListener = ({ url = "" }, response) => {
    try {
      response.end(readFileSync(join(served, ".git", url.replace("/example/app/", "").replace(/\?.*/, ""))));
    } catch {
      response.writeHead(404).end();
    }
  };
  await expect(cloneFrom(files, { bytes: 100_000 })).rejects.toMatchObject({ code: "onboarding.too-large" });
  expect(left()).toEqual([]);
  expect(await cloneFrom(files, {})).toMatchObject({ isNew: true, path: join(base, "root/app") });
  rmSync(join(base, "root/app/.git/config"));
  await expect(cloneFrom(files, {})).rejects.toMatchObject({ code: "onboarding.refused" });
  rmSync(join(base, "root/app/.git"), { recursive: true });
  rmSync(join(base, "root/app"), { recursive: true });
  writeFileSync(join(base, "root/other"), randomBytes(2_000));
  await expect(cloneFrom(files, { totalBytes: 1_000 })).rejects.toMatchObject({ code: "onboarding.too-large" });
});
