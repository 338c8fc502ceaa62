/** `agent-service schedules` against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../../testing/run-command.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { EXIT } from "../index.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: 'model: { name: "scripted:demo" }\n' });
});
afterAll(() => running.stop());

function run(...args: readonly string[]) {
  const { home, config } = running.folders;
  return runCommand(["schedules", ...args], { env: { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: running.url } });
}

it("makes, shows, changes, pauses, runs and removes a job, also as JSON", async () => {
  expect((await run()).stderr).toBe("Nothing is scheduled.\n");
  const added = await run("add", "0 7 * * 1-5", "/say good morning", "--id", "morning", "--timezone", "Europe/Berlin");
  expect(added.stdout).toMatch(/job +morning \(on\)\nwhen +At 07:00, Monday through Friday \(Europe\/Berlin\): 0 7/);
  expect((await run("edit", "morning", "--schedule", "30 7 * * *", "--overlap", "queue")).stdout).toContain("At 07:30");
  expect((await run("edit", "morning")).code).toBe(EXIT.usage);
  expect((await run("pause", "morning")).stdout).toContain("morning (paused)");
  expect((await run()).stdout).toMatch(/morning +paused +At 07:30 \(Europe\/Berlin\) +- +- +\/say good morning/);
  expect((await run("resume", "morning")).stdout).toContain("morning (on)");
  expect((await run("run", "morning")).stdout).toMatch(/^Task \S+ runs\n$/);
  const { runs } = JSON.parse((await run("runs", "morning", "--json")).stdout) as { runs: { task_id: string }[] };
  await (await running.service.core.tasks.get(runs[0]!.task_id))!.settled();
  await running.service.core.features.schedule.opened.idle();
  expect((await run("runs", "morning")).stdout).toMatch(/SLOT .*\n\S+ \S+ +1 +completed +- /);
  expect((await run("cancel", "morning")).stdout).toBe("Removed morning\n");
  expect((await run("show", "morning")).code).toBe(EXIT.failed);
});

it("previews a schedule as the zone's clocks show it, and lists what is due", async () => {
  const { stdout } = await run("preview", "0 9 1 1 *", "--timezone", "Pacific/Chatham");
  expect(stdout).toMatch(/^At 09:00, on day 1 of the month, only in January \(Pacific\/Chatham\)\n.*09:00.*GMT\+13:45/);
  expect((await run("preview", "61 * * * *")).stderr).toContain("minute");
  expect((await run("calendar")).stderr).toBe("Nothing is due.\n");
  await run("add", "0 * * * *", "look", "--id", "hourly");
  expect((await run("calendar", "--days", "1")).stdout).toContain("hourly");
  expect((await run("calendar", "--days", "93")).code).toBe(EXIT.usage);
  expect((await run("add", "0 * * * *", "look", "--check", "[]")).code).toBe(EXIT.usage);
  expect((await run("list", "--timezone", "UTC")).code).toBe(EXIT.usage);
});
