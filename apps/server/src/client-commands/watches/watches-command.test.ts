/** `agent-service watches` against a running service. */
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
watches: {interval: 3600}
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
  return runCommand(["watches", ...args], { env: { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: running.url } });
}

it("makes, shows, changes, checks and removes a watch, also as JSON", async () => {
  expect((await run()).stderr).toBe("Nothing is watched.\n");
  expect(JSON.parse((await run("--json")).stdout)).toEqual({ enabled: true, poller: true, watches: [], more: false });
  const file = join(folders.root, "state.json");
  writeFileSync(file, '{"open": 3}');
  const verifier = JSON.stringify({ type: "data", path: "state.json", expr: "open = 0" });
  const added = await run("add", "Nothing is open", "--verifier", verifier, "--id", "open", "--session", "work");
  expect(added.stdout).toMatch(
    /watch +open \(active\)\nfires +0, 0 checks; once it becomes true\ncheck +\{"type":"data"/,
  );
  expect((await run("check", "open")).stdout).toMatch(/fires +0, \d checks/);
  expect((await run("fires", "open")).stderr).toBe("It has not fired yet.\n");
  const edited = await run("edit", "open", "--repeat", "yes", "--expires", "3600", "--interval", "7200");
  expect(edited.stdout).toMatch(/each time it becomes true[\s\S]*interval +7200 s at least\n[\s\S]*until +\d{4}-/);
  expect((await run("edit", "open", "--expires", "none")).stdout).not.toContain("until");
  expect((await run("edit", "open")).code).toBe(EXIT.usage);
  writeFileSync(file, '{"open": 0}');
  expect((await run("check", "open")).stdout).toMatch(/fires +1, /);
  expect((await run("fires", "open")).stdout).toMatch(/KIND[\s\S]*met +[0-9a-f-]{36} /);
  expect((await run()).stdout).toMatch(/open +active +data +1 .*Nothing is open/);
  const { fires } = JSON.parse((await run("fires", "open", "--json")).stdout) as { fires: { kind: string }[] };
  expect(fires).toMatchObject([{ kind: "met" }]);
  expect((await run("clear", "open")).stdout).toBe("Removed open\n");
  expect((await run("show", "open")).code).toBe(EXIT.failed);
});

it("refuses what does not fit", async () => {
  expect((await run("add", "c", "--check", "core:none")).stderr).toContain("no verifier of that name");
  expect((await run("add", "c", "--args", "[]")).code).toBe(EXIT.usage);
  expect((await run("add", "c", "--verifier", "null")).code).toBe(EXIT.usage);
  expect((await run("add", "c", "--repeat", "maybe")).code).toBe(EXIT.usage);
  expect((await run("list", "--check", "core:url")).code).toBe(EXIT.usage);
  expect((await run("wait")).code).toBe(EXIT.usage);
});
