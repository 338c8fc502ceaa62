/** What a person sees before a call runs, and calls that run unasked, as an operator and a peer meet them (F12, F13, F28). */
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Json, temporaryFolders, textOf, textParams } from "../../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../testing/test-service.ts";

const SECRET = "preview-secret-0123456789";
const ran: string[] = [];
let content = "before";
type Tool = NonNullable<TestServiceOptions["tools"]>[number];
interface Line {
  readonly line: string;
}
const command: Tool = {
  name: "command",
  description: "Runs a command.",
  input: v.object({ line: v.string() }),
  availableTo: ["lead", "subagents"],
  approval: ({ line }: Line) => ({
    title: `Run ${line}?`,
    detail: "",
    bypassable: true,
    ...(line === "git status" && { allowedBy: "git status" }),
  }),
  preview: ({ line }: Line) => ({
    ...{ kind: "command", argv: line.split(" "), shell: false, project: "app", cwd: SECRET, network: false },
    ...{ sandbox: null, env: ["PATH"], timeout: 120, remark: "not part of the form" },
  }),
  run: ({ line }: Line) => {
    ran.push(line);
    return `ran ${line}`;
  },
};
const edit: Tool = {
  name: "edit",
  description: "Edits.",
  input: v.object({}),
  availableTo: ["lead"],
  approval: () => ({ title: "Edit?", detail: "" }),
  preview: () => {
    const files = [{ path: "a.ts", additions: 1, deletions: 1 }];
    return { kind: "diff", files, patch: `-${content}\n+after\n`, base: content };
  },
  run: () => "edited",
};

const folders = temporaryFolders();
const configure = (more = ""): void =>
  folders.configure(`
model: { name: "scripted:demo" }
auth: { token: operator-token-1, federation_token: peer-token-1 }
tracing: { secret_key: ${SECRET} }
${more}`);
let running: TestService;
beforeAll(async () => {
  configure();
  running = await startTestService({ folders, tools: [command, edit] });
});
afterAll(async () => {
  await running.stop();
  folders.remove();
});

const as = (token: string) => running.wireAs({ authorization: `Bearer ${token}` });
const operator = () => as("operator-token-1");
async function api(method: string, path: string, body?: unknown, token = "operator-token-1") {
  const response = await fetch(`${running.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const promptOf = async (task: string): Promise<string> =>
  (await api("GET", `/approvals?task_id=${task}`)).body.approvals[0].id;
const waive = { metadata: { bypass_approvals: true } };

it("runs a call unasked where the message waives approvals, and shows it in journal, conversation and stream", async () => {
  const message = { contextId: "waived", ...waive };
  const stream = await operator().stream("message/stream", textParams('/call command {"line": "npm test"}', message));
  const frames = await stream.rest();
  const shown = frames.flatMap(({ frame }) => Object.values(frame.metadata ?? {}));
  expect(shown).toContainEqual(
    expect.objectContaining({ name: "command", phase: "started", approvalSkipped: "bypass" }),
  );
  expect(ran).toEqual(["npm test"]);
  const { turns } = (await api("GET", "/chat/sessions/waived/turns")).body;
  expect(turns[0].tool_calls).toMatchObject([{ name: "command", approval_skipped: { by: "bypass", rule: null } }]);
  const { events } = (await api("GET", `/a2a/tasks/${turns[0].task_id}/journal`)).body;
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "approval_skipped", tool: "command", by: "bypass", rule: null }),
  );
});

it("takes the same of /api/chat, and asks without it; an entry that allows a call is quoted", async () => {
  const message = '/call command {"line": "npm run build"}';
  const asked = await api("POST", "/chat", { message, session_id: "chat-1" });
  expect(asked.body).toMatchObject({ state: "input-required", input_required: { tool: "command" } });
  const waived = await api("POST", "/chat", { message, session_id: "chat-2", bypass_approvals: true });
  expect(waived.body).toMatchObject({ state: "completed" });
  await api("POST", "/chat", { message: '/call command {"line": "git status"}', session_id: "chat-3" });
  const { turns } = (await api("GET", "/chat/sessions/chat-3/turns")).body;
  expect(turns[0].tool_calls).toMatchObject([{ approval_skipped: { by: "rule", rule: "git status" } }]);
});

it("asks although the message waives approvals once bypass_allowed is off, at the next call", async () => {
  expect((await api("GET", "/runtime/status")).body.approvals).toEqual({ bypass_allowed: true });
  configure("filesystem: { bypass_allowed: false }");
  running.live.reload();
  expect((await api("GET", "/runtime/status")).body.approvals).toEqual({ bypass_allowed: false });
  const message = '/call command {"line": "npm ci"}';
  const asked = await api("POST", "/chat", { message, bypass_approvals: true });
  expect(asked.body).toMatchObject({ state: "input-required" });
  configure();
  running.live.reload();
});

it("refuses a waiver that is neither true nor false", async () => {
  const error = await operator().error("message/send", textParams("hi", { metadata: { bypass_approvals: "yes" } }));
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("bypass_approvals") });
});

it("shows what a call would do in the form of its kind, without secrets, to the operator alone (F28)", async () => {
  const { id } = await operator().say('/call command {"line": "npm test -- a"}');
  const path = `/approvals/${await promptOf(id)}/preview`;
  expect((await api("GET", path)).body).toEqual({
    ...{ kind: "command", argv: ["npm", "test", "--", "a"], shell: false, project: "app", cwd: "***" },
    ...{ network: false, sandbox: null, env: ["PATH"], timeout: 120 },
  });
  expect((await api("GET", path, undefined, "peer-token-1")).status).toBe(403);
  await operator().result("tasks/cancel", { id });
  expect((await api("GET", path)).status).toBe(404);
});

it("says that what a call would change has changed since it was asked about", async () => {
  const { id } = await operator().say("/call edit {}");
  const path = `/approvals/${await promptOf(id)}/preview`;
  expect((await api("GET", path)).body).toMatchObject({ kind: "diff", changed_since: false });
  content = "meanwhile";
  expect((await api("GET", path)).body).toMatchObject({ patch: "-meanwhile\n+after\n", changed_since: true });
  await operator().result("tasks/cancel", { id });
});

it("keeps tools of the operator from peers, who can neither call them nor waive anything (F13)", async () => {
  const task = await as("peer-token-1").say('/call command {"line": "npm test"}', waive);
  expect(textOf(task)).toContain('there is no tool named "command"');
  const { tools } = (await api("GET", "/tools")).body;
  const only = (name: string) => tools.find((tool: Json) => tool.name === name)?.operator_only;
  expect([only("command"), only("edit"), only("calculator")]).toEqual([true, true, false]);
});
