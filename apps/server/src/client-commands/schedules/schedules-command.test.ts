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

const WRONG: readonly (readonly [args: readonly string[], code: number])[] = [
  [["add"], EXIT.usage],
  [["add", "0 7 * * *"], EXIT.usage],
  [["add", "0 7 * * *", "look", "twice"], EXIT.usage],
  [["add", "61 * * * *", "look"], EXIT.failed],
  [["add", "2020-01-01T00:00Z", "look"], EXIT.failed],
  [["add", "0 7 * * *", ""], EXIT.failed],
  [["add", "0 7 * * *", "x".repeat(40_000)], EXIT.failed],
  [["add", "0 7 * * *", "look", "--timezone", "Mars/Olympus"], EXIT.failed],
  [["add", "0 7 * * *", "look", "--id", "\u{1f600}"], EXIT.failed],
  [["add", "0 7 * * *", "look", "--retries", "-1"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--retries=-1"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--retries", "6"], EXIT.failed],
  [["add", "0 7 * * *", "look", "--catch-up", "1e3"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--jitter", "99999999999"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--overlap", "wait"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--fresh", "maybe"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--check", "{"], EXIT.usage],
  [["add", "0 7 * * *", "look", "--check", '{"check": "core:none"}'], EXIT.failed],
  [["add", "0 7 * * *", "look", "--unknown", "1"], EXIT.usage],
  [["edit", "stays", "--schedule", "@daily"], EXIT.failed],
  [["edit", "stays", "--timezone", ""], EXIT.failed],
  [["edit", "none", "--prompt", "look"], EXIT.failed],
  [["preview", "tomorrow"], EXIT.failed],
  [["preview", "* ".repeat(200)], EXIT.failed],
  [["run", "../stays"], EXIT.failed],
  [["runs", "none"], EXIT.failed],
  [["pause", "none"], EXIT.failed],
  [["cancel", "none"], EXIT.failed],
  [["calendar", "--days", "0"], EXIT.usage],
  [["list", "--limit", "x"], EXIT.usage],
  [["unknown"], EXIT.usage],
];
const named = WRONG.map(([args, code]) => [args.join(" ").slice(0, 60), args, code] as const);
it.each(named)("%s: a sentence says why, as JSON too, and nothing changes", async (_named, args, code) => {
  const { schedules } = running.service.core.features.schedule;
  if (schedules.get("stays") === undefined)
    await schedules.create({ id: "stays", prompt: "look", schedule: "0 7 * * *", createdBy: "operator" });
  const before = JSON.stringify(schedules.list());
  const refused = await run(...args);
  expect([refused.code, refused.stdout]).toEqual([code, ""]);
  expect(refused.stderr).toMatch(/^agent-service: [^\n]+\n$/);
  const asJson = await run(...args, "--json");
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { message: expect.any(String), exit_code: code } });
  expect(JSON.stringify(schedules.list())).toBe(before);
});
