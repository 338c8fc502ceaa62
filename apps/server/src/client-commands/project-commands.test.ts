/** `projects`, `diff` and `handoff` against a service of this process, as a person and as a script use them (F22, F25, F26). */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { type CommandIo, EXIT, runClientCommand } from "./index.ts";

let running: TestService;
let root: string;
beforeAll(async () => {
  running = await startTestService();
  root = realpathSync(running.folders.root);
});
afterAll(() => running.stop());
const at = (...parts: string[]): string => join(root, "src", ...parts);

async function run(...args: readonly string[]) {
  const out = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      out[name] += text;
    },
    terminal: false,
    columns: 120,
  });
  const io: CommandIo = {
    env: { SVC_HOME: running.folders.home, SVC_CONFIG_DIR: running.folders.config, SVC_URL: running.url },
    ...{
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      keyboard: undefined,
      piped: undefined,
      checkoutRoot: undefined,
    },
    onInterrupt: () => () => {},
    pause: async () => {},
  };
  const code = await runClientCommand(args, io);
  return { code, ...out, json: () => JSON.parse(out.stdout) as Json };
}

it("lists projects, adds folders by a relative path too, changes what may be done and takes them out", async () => {
  mkdirSync(at("app"), { recursive: true });
  expect((await run("projects")).stdout).toMatch(
    /^PROJECT +ACCESS +FOLDER +FROM\nworkspace +may write +\S+ +by default, until one is added\n$/,
  );
  const added = await run("projects", "add", relative(process.cwd(), at("app")), "--access", "keep");
  expect(added).toMatchObject({
    stderr: "",
    stdout: `The agent may work in app: ${at("app")} (may write, not delete)\n`,
  });
  const again = await run("projects", "add", at("app"), "--json");
  expect(again.json().project).toMatchObject({ name: "app", no_delete: true });
  const set = await run("projects", "set", "APP", "--access", "read", "--repo", "example/app", "--branch", "dev");
  expect(set.stdout).toBe(`Saved: app: ${at("app")} (read only)\n`);
  expect((await run("projects", "list", "--json")).json().projects[1]).toMatchObject({
    ...{ write: false, no_delete: false, fs: true, scm_repo: "example/app", default_branch: "dev" },
  });
  expect((await run("projects")).stdout).toMatch(/\napp +read only +\S+ +example\/app\n/);
  expect((await run("projects", "set", "app", "--access", "none")).stdout).toContain("(no access)");
  expect((await run("projects", "remove", "app")).stdout).toContain("Its folder stays");
  const gone = await run("projects", "remove", "app");
  expect([gone.code, gone.stderr]).toEqual([EXIT.failed, "agent-service: There is no project app.\n"]);
});

it.each([
  ["onboarding.root", ["clone", "example/app"]],
  ["There is no folder", ["add", "/nonexistent/app"]],
])("shows what the service refuses with what to do: %s", async (reason, args) => {
  const refused = await run("projects", ...args);
  expect([refused.code, refused.stdout]).toEqual([EXIT.failed, ""]);
  expect(refused.stderr).toContain(reason);
});

it.each([
  [["projects", "other"]],
  [["projects", "add"]],
  [["projects", "set", "app"]],
  [["projects", "set", "app", "--access", "all"]],
  [["projects", "set", "app", "--name", "other"]],
  [["projects", "add", "/x", "--branch", "main"]],
  [["projects", "remove", "app", "--access", "read"]],
  [["diff"]],
  [["diff", "a", "b"]],
  [["handoff"]],
  [["handoff", "take"]],
  [["handoff", "offer"]],
  [["handoff", "offer", "s", "--line", "0"]],
  [["handoff", "offer", "s", "--path", "a.ts"]],
  [["handoff", "claim", "--title", "x"]],
])("ends a wrong command line with 2 before anything is asked: %j", async (args) => {
  expect(await run(...args)).toMatchObject({ code: EXIT.usage, stdout: "" });
});

it("shows what a project's files differ in from the last commit", async () => {
  mkdirSync(at("repo"), { recursive: true });
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.org", ...args], { cwd: at("repo") });
  git("init", "-q", "-b", "main");
  writeFileSync(at("repo/a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  await run("projects", "add", at("repo"));
  expect(await run("diff", "repo")).toMatchObject({
    code: EXIT.failed,
    stderr: expect.stringContaining("filesystem.code_pane"),
  });
  await run("config", "set", "filesystem.code_pane=true");
  const unchanged = await run("diff", "repo");
  expect([unchanged.code, unchanged.stdout]).toEqual([EXIT.ok, ""]);
  expect(unchanged.stderr).toMatch(/^repo, branch main at [0-9a-f]{12}\nEvery file is as it was committed\.\n$/);
  writeFileSync(at("repo/a.txt"), "two\n");
  writeFileSync(at("repo/.env"), "KEY=canary\n");
  const changed = await run("diff", "repo");
  expect(changed.stdout).toContain("-one\n+two\n");
  expect(changed.stderr).toContain(".env: not shown (its name says that it holds secrets)\n");
  expect(changed.stdout + changed.stderr).not.toContain("canary");
  expect((await run("diff", "repo", "--json")).json()).toMatchObject({ is_git: true, branch: "main" });
  expect((await run("diff", "workspace")).stderr).toContain("workspace is no git repository");
  expect((await run("diff", "none")).code).toBe(EXIT.failed);
});

it("hands a conversation off to an editor in a project's folder, once", async () => {
  await run("chat", "--session", "handed", "/say hello");
  const offered = await run("handoff", "offer", "handed", "--project", "repo", "--path", "a.txt", "--line", "1");
  expect(offered.stdout).toMatch(/^Offered until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d to editors in \S+\/repo\.\n$/);
  expect(await run("handoff", "claim", at("repo"))).toMatchObject({
    code: EXIT.ok,
    stdout: "session  handed\nproject  repo\nfile     a.txt:1\n",
    stderr: "Continue it: agent-service chat --session handed\n",
  });
  const none = await run("handoff", "claim", at("repo"));
  expect([none.code, none.stderr]).toEqual([EXIT.failed, "Nothing is offered for this folder.\n"]);
  expect((await run("handoff", "claim", at("repo"), "--json")).json()).toEqual({ handoff: null });
  await run("handoff", "offer", "handed", "--title", "Mend it");
  const here = await run("handoff", "claim", "--json");
  expect(here.json().handoff).toMatchObject({ session_id: "handed", project: null, title: "Mend it" });
  expect((await run("handoff", "offer", "none")).stderr).toBe("agent-service: There is no such session.\n");
});
