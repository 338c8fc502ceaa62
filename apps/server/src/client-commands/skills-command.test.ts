/** `agent-service skills` against a running service. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { EXIT } from "./index.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: 'model: { name: "scripted:demo" }\n' });
});
afterAll(() => running.stop());

function run(args: readonly string[], piped?: string) {
  const { home, config } = running.folders;
  const env = { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: running.url };
  return runCommand(["skills", ...args], { env, ...(piped !== undefined && { piped }) });
}

it("makes, shows, changes, restores and lists skills, also as JSON", async () => {
  const made = await run(["edit", "tea", "--body", "-", "--description", "Makes tea.", "--slash", "brew"], "Boil.\n");
  expect([made.code, made.stdout, made.stderr]).toEqual([EXIT.ok, "Made tea\n", ""]);
  const file = join(running.folders.root, "body.md");
  writeFileSync(file, "Boil longer.");
  expect((await run(["edit", "tea", "--body", file, "--reason", "It was weak."])).stdout).toBe("Changed tea\n");
  expect((await run([])).stdout).toMatch(/tea +user +\/brew +0 +Makes tea\./);
  expect((await run(["show", "tea"])).stdout).toMatch(/command +\/brew[\s\S]*\n\nBoil longer\.\n$/);
  expect((await run(["show", "tea", "--version", "1"])).stdout).toContain("Boil.\n");
  expect((await run(["versions", "tea"])).stdout).toMatch(/2 .*operator.*It was weak\.\s*\n *1 /);
  expect((await run(["versions", "tea", "--restore", "1"])).stdout).toBe("tea says again what version 1 says\n");
  expect(JSON.parse((await run(["show", "tea", "--json"])).stdout)).toMatchObject({ prompt_template: "Boil." });
  expect(JSON.parse((await run(["list", "--json"])).stdout)).toMatchObject({ enabled: true });
  expect(JSON.parse((await run(["versions", "tea", "--json"])).stdout).versions).toHaveLength(3);
});

it("shows a broken one with its fault and its file", async () => {
  const folder = join(running.folders.config, "skills", "bad");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), "no head");
  await expect.poll(async () => (await run(["show", "bad"])).stdout).toMatch(/broken +it has to begin[\s\S]*no head/);
  expect((await run([])).stdout).toMatch(/bad .*broken: it has to begin/);
});

it.each([
  ["an unknown form", ["rename"], EXIT.usage],
  ["a flag of another form", ["list", "--body", "x"], EXIT.usage],
  ["an edit of nothing", ["edit", "tea"], EXIT.usage],
  ["a file that is not there", ["edit", "tea", "--body", "/nowhere/at/all"], EXIT.usage],
  ["a version that is no number", ["versions", "tea", "--restore", "x"], EXIT.usage],
])("refuses %s", async (_, args, code) => {
  expect((await run(args)).code).toBe(code);
});

it("says what the service says of what it does not do", async () => {
  for (const args of [
    ["show", "none"],
    ["edit", "code-review", "--description", "x"],
    ["promote", "tea"],
  ]) {
    const refused = await run(args);
    expect([refused.code === EXIT.ok, refused.stderr.length > 0], args.join(" ")).toEqual([false, true]);
  }
});
