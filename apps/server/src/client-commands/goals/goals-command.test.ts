/** `agent-service goals` against a running service. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { runCommand } from "../../testing/run-command.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { EXIT } from "../index.ts";

const folders = temporaryFolders();
let running: TestService;
beforeAll(async () => {
  folders.configure(`model: {name: "scripted:demo"}
projects: [{name: app, path: "${folders.root}", write: true}]
`);
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running.stop();
  folders.remove();
});

function run(...args: readonly string[]) {
  const { home, config } = running.folders;
  return runCommand(["goals", ...args], { env: { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: running.url } });
}

const OPEN = ["--verifier", JSON.stringify({ type: "data", path: "state.json", expr: "open = 0" })];

async function becomes(session: string, status: string): Promise<void> {
  const read = async (): Promise<unknown> => JSON.parse((await run("show", session, "--json")).stdout).goal.status;
  await expect.poll(read).toBe(status);
}

it("sets a goal, shows it and what happened, takes it up again and removes it, also as JSON", async () => {
  expect((await run()).stderr).toBe("There are no goals.\n");
  writeFileSync(join(folders.root, "state.json"), '{"open": 3}');
  const contract = ["--constraint", "one", "--constraint", "two", "--boundary", "main.ts", "--stop-when", "no key"];
  const limits = ["--max-iterations", "1", "--no-kick", "--fresh"];
  const set = await run("set", "cart", "Nothing", "is open", ...OPEN, ...contract, ...limits);
  expect(set.stderr).toBe("The goal was set.\n");
  expect(set.stdout).toMatch(/session +cart \(paused: kick\)\niteration +0 of 1\nwaits for +it was set without/);
  expect(set.stdout).toMatch(/keep to +one\nkeep to +two\nleave +main.ts\nstop when +no key\n/);
  expect(set.stdout).toMatch(/\n\nNothing is open\n$/);
  expect((await run()).stdout).toMatch(/cart +paused: kick +0 of 1 +data .*Nothing is open/);
  expect((await run("resume", "cart")).stdout).toBe("It goes on\n");
  await becomes("cart", "exhausted");
  const timeline = (await run("timeline", "cart")).stdout;
  expect(timeline).toMatch(
    / {2}ended: exhausted\n {2}It was not met after 1 iteration[\s\S]* {2}verdict 1: not met .*task [0-9a-f-]{36}\n/,
  );
  expect(timeline).toMatch(/ {2}drive 1 {2}task [0-9a-f-]{36}\n[\s\S]* {2}set\n/);
  expect((await run("list", "--status", "active")).stderr).toBe("No goal is active.\n");
  writeFileSync(join(folders.root, "state.json"), '{"open": 0}');
  const rearmed = await run("rearm", "cart", "--add", "2");
  expect(rearmed.stderr).toBe("The goal was rearmed.\n");
  expect(rearmed.stdout).toMatch(/iteration +0 of 3\n/);
  await becomes("cart", "met");
  const { events } = (await run("timeline", "cart", "--json")).json() as { events: readonly object[] };
  expect(events[0]).toMatchObject({ kind: "ended", status: "met" });
  expect((await run("clear", "cart")).stdout).toBe("Removed the goal of cart\n");
  expect((await run("clear", "cart")).stderr).toBe("cart has no goal\n");
  expect(await run("show", "cart")).toMatchObject({ code: EXIT.failed, stderr: expect.stringContaining("no goal") });
});

it("says that a pinned file was changed", async () => {
  const file = join(folders.root, "pinned.json");
  writeFileSync(file, '{"open": 3}');
  const verifier = ["--verifier", JSON.stringify({ type: "data", path: "pinned.json", expr: "open = 0" })];
  await run(
    "set",
    "pins",
    "Nothing is open",
    ...verifier,
    "--pin",
    "pinned.json",
    "--no-kick",
    "--max-iterations",
    "1",
  );
  writeFileSync(file, '{"open": 0}');
  await run("resume", "pins");
  await becomes("pins", "exhausted");
  expect((await run("show", "pins")).stdout).toMatch(/last verdict +tampered: pinned.json\n/);
});

it.each([
  [["set"], "needs a session"],
  [["set", "s", " "], "needs a condition"],
  [["set", "s", "c", "--test", "true", "--command", "true"], "one check is enough: --test, or --command"],
  [["set", "s", "c", "--test", " "], "--test takes a command"],
  [["set", "s", "c", "--pin", "a"], "--pin takes --test"],
  [["set", "s", "c", "--check", "core:url", "--pin", "a"], "--pin takes --test"],
  [["set", "s", "c", "--check-args", "{}"], "--check-args takes --check"],
  [["set", "s", "c", "--verifier", "null"], "--verifier takes a JSON object"],
  [["set", "s", "c", "--max-iterations", "many"], "--max-iterations takes a whole number"],
  [["list", "--test", "true"], "goals list takes no --test"],
  [["list", "--status", "done"], "--status takes active"],
  [["resume"], "resume needs a session"],
  [["wait"], "goals takes list"],
])("refuses %j with a sentence", async (args, sentence) => {
  const refused = await run(...args);
  expect(refused.stderr).toContain(sentence);
  expect(refused.code).toBe(EXIT.usage);
});

it("shows why the service refuses", async () => {
  await run("set", "busy", "c", "--no-kick");
  for (const [args, sentence] of [
    [["set", "s", "c", "--check", "core:none"], "no verifier of that name"],
    [["set", "s", "c", "--max-iterations", "0"], "max_iterations"],
    [["rearm", "busy"], "how many iterations to add"],
    [["resume", "nobody"], "no active goal"],
    [["rearm", "nobody"], "no goal"],
  ] as const) {
    const refused = await run(...args);
    expect(refused.stderr).toContain(sentence);
    expect(refused.code).toBe(EXIT.failed);
  }
});
