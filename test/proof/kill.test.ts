import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDeeds } from "./proof-tools.ts";
import type { TrialContext } from "./run-trial.ts";
import { runTrials, warmUp } from "./run-trials.ts";
import { startedPrograms, startLife, type TrialFolder } from "./service-life.ts";

const root = mkdtempSync(path.join(tmpdir(), "proof-stop-"));
let context: TrialContext;
beforeAll(async () => {
  context = await warmUp(`${root}/compiled`, `${root}/warm`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function prepare(name: string, settings: string): TrialFolder {
  const own = `${root}/${name}`;
  const folder = { home: `${own}/home`, config: `${own}/config`, deeds: `${own}/deeds`, epoch: Date.now() };
  mkdirSync(folder.home, { recursive: true });
  mkdirSync(folder.config);
  writeFileSync(`${folder.config}/agent-config.yaml`, `checkpoint: {db_path: "${own}/agent.db"}\n${settings}`);
  return folder;
}

test("nothing acknowledged is lost by SIGKILL at any moment (EN9; docs/reliability.md)", async () => {
  const seeds: string[] = [];
  const failed = await runTrials({
    seed: "suite",
    first: 0,
    // `pnpm proof:kill` runs as many as are wanted.
    count: 1,
    parallel: 1,
    only: "requests",
    context,
    onReport: (report) => seeds.push(report.seed),
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(seeds).toHaveLength(1);
});

test("no slot of a job is lost or begun twice by SIGKILL (CR1, TR1, TR3; docs/reliability.md)", async () => {
  let slots = 0;
  const failed = await runTrials({
    ...{ seed: "slots", first: 0, count: 1, parallel: 1, only: "schedules", context },
    onReport: ({ figures }) => {
      slots += figures.slots ?? 0;
    },
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(slots).toBeGreaterThan(0);
});

test("no edge of a watch is lost or fires twice by SIGKILL (WA1; docs/reliability.md)", async () => {
  let fires = 0;
  const failed = await runTrials({
    ...{ seed: "watches", first: 0, count: 1, parallel: 1, only: "watches" },
    onReport: ({ figures }) => {
      fires += figures.fires ?? 0;
    },
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(fires).toBeGreaterThan(0);
});

test("no verdict of a goal is lost, and no turn of one begun twice, by SIGKILL (TR1, GO1, GO3; docs/reliability.md)", async () => {
  let verdicts = 0;
  const failed = await runTrials({
    ...{ seed: "goals", first: 0, count: 1, parallel: 1, only: "goals", context },
    onReport: ({ figures }) => {
      verdicts += figures.verdicts ?? 0;
    },
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(verdicts).toBeGreaterThan(0);
});

test("nothing remembered is lost, and nothing forgotten is left, by SIGKILL at any moment (KM1, KM6, KM10, KM11; docs/reliability.md)", async () => {
  let forgotten = 0;
  const failed = await runTrials({
    ...{ seed: "memory", first: 0, count: 1, parallel: 1, only: "memory", context },
    onReport: ({ figures }) => {
      forgotten += figures.forgottenThings ?? 0;
    },
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(forgotten).toBeGreaterThan(0);
});

test("a direct call killed right after it kept its note goes on by that note alone (R3)", async () => {
  const folder = prepare("note", "");
  const asked = {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "k" },
    body: JSON.stringify({ args: { token: "once" } }),
  };
  const first = startLife(folder, { kind: "note", side: "after", nth: 1 }, `${root}/compiled`);
  const lost = fetch(`${await first.ready}/api/tools/job_append/call`, asked);
  await expect(lost).rejects.toThrow();
  expect((await first.gone).killed).toBe(true);
  const second = startLife(folder, undefined, `${root}/compiled`);
  try {
    const reply = await fetch(`${await second.ready}/api/tools/job_append/call`, asked);
    expect(await reply.json()).toMatchObject({ state: "completed", outcome: "ok", result: "wrote once" });
  } finally {
    second.kill();
    await second.gone;
  }
  expect(readDeeds(folder.deeds).map(({ what }) => what)).toEqual(["run", "kept", "resumed", "wrote"]);
});

test("SIGTERM leaves no process of the agent: not one that ignores it, not one that left its session (PR1)", async () => {
  const folder = prepare("stop", 'filesystem: {sandbox: "off", run_requires_approval: false}\n');
  const file = `${root}/stop/agent.db`;
  const life = startLife(folder, undefined, `${root}/compiled`);
  const url = await life.ready;
  const command = "trap '' TERM HUP; setsid sleep 1000 & while :; do sleep 1000; done";
  const body = JSON.stringify({ message: `/call run_command ${JSON.stringify({ command })}`, session_id: "s" });
  const headers = { "content-type": "application/json" };
  const said = fetch(`${url}/api/chat`, { method: "POST", headers, body }).catch(() => undefined);
  await expect.poll(() => startedPrograms(file).length).toBeGreaterThanOrEqual(3);
  life.stop();
  const { log, killed } = await life.gone;
  expect([startedPrograms(file), killed]).toEqual([[], false]);
  expect(log).not.toMatch(/\berror\b/i);
  await said;
});
