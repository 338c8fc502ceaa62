import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { runTrials } from "./run-trials.ts";
import { startedPrograms, startLife } from "./service-life.ts";

const root = mkdtempSync(path.join(tmpdir(), "proof-stop-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("nothing acknowledged is lost by SIGKILL at any moment, 3 times over (EN9; docs/reliability.md)", async () => {
  const seeds: string[] = [];
  const failed = await runTrials({
    seed: "suite",
    first: 0,
    // `pnpm proof:kill` runs as many as are wanted.
    count: 3,
    parallel: 2,
    onReport: (report) => seeds.push(report.seed),
  });
  expect(failed.map(({ seed, kills, violations, folder }) => ({ seed, kills, violations, folder }))).toEqual([]);
  expect(seeds).toHaveLength(3);
});

test("SIGTERM leaves no process of the agent: not one that ignores it, not one that left its session (PR1)", async () => {
  const folder = { home: `${root}/home`, config: `${root}/config`, deeds: `${root}/deeds`, epoch: Date.now() };
  mkdirSync(folder.home);
  mkdirSync(folder.config);
  const store = `checkpoint: {db_path: "${root}/agent.db"}\n`;
  writeFileSync(
    `${folder.config}/agent-config.yaml`,
    `${store}filesystem: {sandbox: "off", run_requires_approval: false}\n`,
  );
  const life = startLife(folder, undefined, `${root}/compiled`);
  const url = await life.ready;
  const command = "trap '' TERM HUP; setsid sleep 1000 & while :; do sleep 1000; done";
  const body = JSON.stringify({ message: `/call run_command ${JSON.stringify({ command })}`, session_id: "s" });
  const headers = { "content-type": "application/json" };
  const said = fetch(`${url}/api/chat`, { method: "POST", headers, body }).catch(() => undefined);
  await expect.poll(() => startedPrograms(`${root}/agent.db`).length).toBeGreaterThanOrEqual(3);
  life.stop();
  const { log, killed } = await life.gone;
  expect([startedPrograms(`${root}/agent.db`), killed]).toEqual([[], false]);
  expect(log).not.toMatch(/\berror\b/i);
  await said;
});
