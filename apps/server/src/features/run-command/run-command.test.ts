/** Commands in the composed service: approvals, what they may reach, their results and their output (F6, F9 to F15, F28, F29). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesBelow } from "../../testing/files-below.ts";
import { type Json, temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const PATIENCE = { timeout: 60_000 };
const secret = "a-very-secret-token";
let running: TestService;

beforeAll(async () => {
  mkdirSync(join(folders.root, "app/src"), { recursive: true });
  mkdirSync(join(folders.root, "app/bin"));
  writeFileSync(join(folders.root, "app/bin/evil"), "#!/bin/sh\necho evil", { mode: 0o755 });
  process.env.RUN_COMMAND_TEST = "passed";
  process.env.PATH = `${join(folders.root, "app/bin")}:${process.env.PATH}`;
  folders.configure(`model: {name: "scripted:demo"}
auth: {token: "${secret}"}
projects:
  - {name: app, path: "${folders.root}/app"}
filesystem:
  run_auto_approve: ["echo", "ls", "git", "git diff", "sort -n", "${join(folders.root, "app/bin/evil")}"]
  run_env: [RUN_COMMAND_TEST]
`);
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running?.stop();
  delete process.env.RUN_COMMAND_TEST;
  folders.remove();
});

const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };

async function api(path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(running.url + path, {
    headers,
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

function say(command: string, more: object = {}): Promise<Json> {
  const wire = running.wireAs({ authorization: headers.authorization });
  return wire.say(`/call run_command ${JSON.stringify({ command, ...more })}`) as Promise<Json>;
}

/** The task of a command that a person approved, once it has ended. */
async function approved(command: string, more: object = {}): Promise<Json> {
  const asked = await say(command, more);
  expect(asked.status.state).toBe("input-required");
  const { approvals } = (await api("/api/approvals")).body;
  const { id } = approvals.find(({ task_id }: Json) => task_id === asked.id);
  expect((await api(`/api/approvals/${id}`, { decision: "approve" })).status).toBe(200);
  await expect.poll(async () => (await taskOf(asked.id)).state, PATIENCE).not.toMatch(/working|input/);
  return asked;
}

async function taskOf(id: string): Promise<Json> {
  return (await api(`/api/a2a/tasks/${id}/journal`)).body.task;
}

async function eventsOf(id: string): Promise<Json[]> {
  return (await api(`/api/a2a/tasks/${id}/journal?limit=100&order=oldest`)).body.events;
}

/** What the model read of the one call of a task. */
async function resultOf(task: Json): Promise<Json> {
  return (await eventsOf(task.id)).find(({ kind }) => kind === "tool_finished") ?? {};
}

test("of what ran unasked the journal names the entry of the settings (F12)", async () => {
  const task = await say("echo unasked");
  expect(await eventsOf(task.id)).toContainEqual(expect.objectContaining({ kind: "approval_skipped", by: "rule" }));
});

test("an entry that names a program of a project by its whole path lets nothing run unasked (F10)", async () => {
  expect(await say(join(folders.root, "app/bin/evil"))).toMatchObject({
    status: { state: expect.stringMatching(/input.required/i) },
  });
});

test("a command of the settings runs at once, as its tokens and without a shell, and says how it ended (F10, F11)", async () => {
  const text = textOf(await say("echo 'two  words' RUN_COMMAND_TEST"));
  expect(text).toMatch(/exit 0, \d+\.\d s\ntwo {2}words RUN_COMMAND_TEST/);
  expect(textOf(await say("ls", { cwd: "src" }))).toContain("(no output)");
});

test("git takes no folder that only looks like a repository for one, so its settings run nothing unasked (F10)", async () => {
  const looks = join(folders.root, "app/looks");
  const mark = join(looks, "ran");
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: looks, encoding: "utf8", stdio: "pipe" });
  mkdirSync(looks);
  git("init", "-q");
  writeFileSync(join(looks, "a.txt"), "a");
  git("add", "a.txt");
  for (const name of ["HEAD", "index", "objects", "refs"]) renameSync(join(looks, ".git", name), join(looks, name));
  rmSync(join(looks, ".git"), { recursive: true });
  writeFileSync(join(looks, "external"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  const settings = `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ${looks}\n[diff]\nexternal = ${looks}/external\n`;
  writeFileSync(join(looks, "config"), settings);
  writeFileSync(join(looks, "a.txt"), "changed");
  git("diff");
  expect(existsSync(mark)).toBe(true);
  rmSync(mark);
  const task = await say("git diff", { cwd: "looks" });
  expect(await eventsOf(task.id)).toContainEqual(expect.objectContaining({ kind: "approval_skipped", by: "rule" }));
  expect(existsSync(mark)).toBe(false);
});

test("every other command waits for a person, who sees what is executed, and where (F9, F28)", async () => {
  const asked = await say("echo $RUN_COMMAND_TEST | tr a-z A-Z; pwd; env", { cwd: "src", timeout: 9_999 });
  const { approvals } = (await api("/api/approvals")).body;
  const { id, payload } = approvals.find(({ task_id }: Json) => task_id === asked.id);
  expect(payload.detail).toContain("Through a shell (/bin/sh)");
  const { usable, provider } = (await api("/api/runtime/status")).body.sandbox;
  expect((await api(`/api/approvals/${id}/preview`)).body).toMatchObject({
    ...{ kind: "command", argv: ["/bin/sh", "-c", expect.stringContaining("pwd")], shell: true, project: "app" },
    ...{ cwd: "src", env: ["RUN_COMMAND_TEST"], timeout: 600, sandbox: usable ? provider : null },
  });
  await api(`/api/approvals/${id}`, { decision: "approve" });
  await expect.poll(async () => (await taskOf(asked.id)).state, PATIENCE).toBe("completed");
  const { body } = await api(`/api/a2a/tasks/${asked.id}/calls/${(await resultOf(asked)).call_id}/output`);
  expect(body).toMatchObject({ done: true, truncated: false, next: body.bytes });
  expect(body.text).toContain(`PASSED\n${folders.root}/app/src\n`);
  // PR3: nothing of the service's own environment but what is allowed, and no program of a project.
  const names = body.text.split("\n").map((line: string) => line.split("=")[0]);
  expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "TERM", "RUN_COMMAND_TEST"]));
  expect(names).not.toContain("NODE_ENV");
  expect(body.text).not.toContain(`${folders.root}/app/bin`);
});

test("where no sandbox is used, its preview has none, not a name (F15, F28)", async () => {
  const save = async (sandbox: string): Promise<void> => {
    const { revision } = (await api("/api/config")).body;
    expect((await api("/api/config", { revision, config: { filesystem: { sandbox } } })).status).toBe(200);
  };
  await save("off");
  const asked = await say("date");
  const { approvals } = (await api("/api/approvals")).body;
  const { id } = approvals.find(({ task_id }: Json) => task_id === asked.id);
  expect((await api(`/api/approvals/${id}/preview`)).body).toMatchObject({ argv: ["date"], sandbox: null });
  await api(`/api/approvals/${id}`, { decision: "decline" });
  await save("auto");
});

test("what fails is a result that the model reads, and the turn goes on (F11, R3)", async () => {
  const failed = await resultOf(await approved("sh -c 'echo no >&2; exit 3'"));
  expect([failed.outcome, failed.result]).toEqual(["error", expect.stringMatching(/exit 3, [\d.]+ s\nno/)]);
  // Not a shell in the shell: some replace themselves by their last command, others report how it ended.
  const killed = await resultOf(await approved("kill -9 $$"));
  expect([killed.outcome, killed.result]).toEqual(["unknown", expect.stringContaining("SIGKILL")]);
  const late = await resultOf(await approved("sleep 100", { timeout: 1 }));
  expect([late.outcome, late.result]).toEqual(["unknown", expect.stringContaining("ended after its 1 s")]);
  expect((await resultOf(await approved("no-such-program"))).result).toContain("there is no program");
  expect((await resultOf(await approved("evil"))).result).toContain("there is no program");
  expect((await resultOf(await approved("pwd", { cwd: "../.." }))).result).toContain("it leads out of");
  expect((await resultOf(await approved("cat"))).result).toContain("(no output)");
});

test("a flood is cut for the model, and kept up to a bound (PR4, F29)", async () => {
  const task = await approved("yes 0123456789 | head -c 30000000");
  const { result, call_id } = await resultOf(task);
  expect(result).toContain("exit 0");
  expect(result.length).toBeLessThan(31_000);
  const path = `/api/a2a/tasks/${task.id}/calls/${call_id}/output`;
  const { body } = await api(`${path}?after=10485700`);
  expect(body).toMatchObject({ bytes: 10_485_760, next: 10_485_760, done: true, truncated: true });
  expect((await api(`${path}?after=x`)).status).toBe(422);
  expect((await api(`/api/a2a/tasks/${task.id}/calls/other/output`)).status).toBe(404);
  expect((await api(`/api/a2a/tasks/other/calls/${call_id}/output`)).status).toBe(404);
});

test("output is read while the command runs, without known secrets, in files of the user alone (F29, S5)", async () => {
  const asked = await say(`echo ${secret}; touch started; while [ ! -e go ]; do sleep 0.05; done; echo end`);
  const { approvals } = (await api("/api/approvals")).body;
  const { id } = approvals.find(({ task_id }: Json) => task_id === asked.id);
  await api(`/api/approvals/${id}`, { decision: "approve" });
  const callId = async () => (await eventsOf(asked.id)).find(({ kind }) => kind === "tool_started")?.call_id;
  await expect.poll(callId, PATIENCE).toBeDefined();
  const path = `/api/a2a/tasks/${asked.id}/calls/${await callId()}/output`;
  await expect.poll(async () => (await api(path)).body.text, PATIENCE).toBe("***\n");
  expect((await api(path)).body.done).toBe(false);
  writeFileSync(join(folders.root, "app/go"), "");
  await expect.poll(async () => (await api(`${path}?after=4`)).body.text, PATIENCE).toBe("end\n");
  await expect.poll(async () => (await api(path)).body.done, PATIENCE).toBe(true);
  const files = filesBelow(folders.root).filter(({ path }) => /spool\/.*\//.test(path));
  expect(files.length).toBeGreaterThan(3);
  for (const { path, bytes } of files) expect([path, bytes.includes(secret)]).toEqual([path, false]);
});

test("nothing is asked where the settings say so, and the status warns (F9)", async () => {
  const save = async (filesystem: object): Promise<void> => {
    const { revision } = (await api("/api/config")).body;
    expect((await api("/api/config", { revision, config: { filesystem } })).status).toBe(200);
  };
  await save({ run_requires_approval: false });
  expect(textOf(await say("echo a | tr a b"))).toContain("exit 0");
  const { warnings, sandbox } = (await api("/api/runtime/status")).body;
  expect(warnings.join()).toContain("Commands run without asking anybody");
  expect(sandbox).toEqual({
    provider: "bubblewrap",
    usable: expect.any(Boolean),
    reason: expect.toSatisfy(() => true),
  });
  await save({ run_requires_approval: true });
});

test("peers have no commands, and the settings switch them off from the next call on (F13, F14)", async () => {
  const { tools } = (await api("/api/tools")).body;
  expect(tools.find(({ name }: Json) => name === "run_command")).toMatchObject({ enabled: true, operator_only: true });
  const { revision } = (await api("/api/config")).body;
  const saved = await api("/api/config", { revision, config: { filesystem: { allow_run: false } } });
  expect(saved.status).toBe(200);
  expect(textOf(await say("echo x"))).toContain("no tool named");
});
