/** Another user of the machine on an instance without a credential, with a process of that user (F15). */
import { spawn } from "node:child_process";
import { readdir, readlink } from "node:fs/promises";
import { createInterface } from "node:readline";
import { operatorResources, type RouteDefinition } from "@agent-service/operator-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textParams } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { readSocketTables } from "./socket-owner.ts";

/** Only root can become another user. Where tests run as somebody else, the tables say that it is one. */
const isRoot = process.geteuid?.() === 0;
/** `nobody`, by its number. */
const OTHER = 65_534;
const USER = isRoot ? OTHER : process.geteuid?.();
const CALL = '/call calculator {"expression": "6 * 7"}';
const definitions: readonly RouteDefinition[] = operatorResources.flatMap(({ definitions: some }) => [...some]);
const decides = (always: boolean) =>
  definitions.filter((one) => (always ? one.decides === true : typeof one.decides === "string"));

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}
interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** A line in, a line out. */
const CHILD = `
import { readdir, readlink } from "node:fs/promises";
import { createInterface } from "node:readline";
// Here, not where it is started: the program may lie where only root may enter.
if (process.getuid() === 0) {
  process.setgid(${OTHER});
  process.setuid(${OTHER});
}
for await (const line of createInterface({ input: process.stdin })) {
  const answers = [];
  const { url, requests } = JSON.parse(line);
  for (const { method = "POST", path, body } of requests) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }, ...sent });
    const text = await response.text();
    answers.push({ status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text });
  }
  console.log(JSON.stringify({ user: process.getuid(), answers }));
}
`;

let running: TestService;
const child = startOther();
const tables = isRoot ? {} : { readTables: tablesWithOther };
beforeAll(async () => {
  running = await startTestService({
    config:
      "enforcement: { require_approval: [calculator] }\nmcp: { expose: { enabled: true, tools: [calculator, current_time] } }\n",
    ...tables,
  });
});
afterAll(async () => {
  child.process.kill();
  await running.stop();
});

/** The kernel's tables, in which the sockets of the child are another user's. */
async function tablesWithOther(): Promise<readonly string[]> {
  const folder = `/proc/${child.process.pid}/fd`;
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => "")));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const owned = (line: string): string => {
    const columns = line.trim().split(/\s+/);
    return columns.length > 9 && inodes.has(columns[9]) ? columns.with(7, String(OTHER)).join(" ") : line;
  };
  return (await readSocketTables()).map((table) => table.split("\n").map(owned).join("\n"));
}

/** A test that needs the tables; other systems have none, and there no connection is looked at. */
function onLinux(test: () => Promise<void>): () => Promise<void> {
  if (process.platform === "linux") return test;
  return async () => expect(await readSocketTables()).toEqual([]);
}

function startOther() {
  const process_ = spawn(process.execPath, ["--input-type=module", "-e", CHILD], {
    ...{ cwd: "/", env: {}, stdio: ["pipe", "pipe", "inherit"] },
  });
  return { process: process_, lines: createInterface({ input: process_.stdout })[Symbol.asyncIterator]() };
}

async function asOther(...requests: readonly Asked[]): Promise<readonly Answered[]> {
  child.process.stdin.write(`${JSON.stringify({ url: running.url, requests })}\n`);
  const { value } = await child.lines.next();
  const { user, answers } = JSON.parse(value as string) as { user: number; answers: Answered[] };
  expect(user).toBe(USER);
  return answers;
}

async function asSelf({ method = "POST", path, body }: Asked): Promise<Answered> {
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(running.url + path, { method, headers, ...sent });
  return { status: response.status, body: (await response.json()) as Json };
}

const rpc = (method: string, params: unknown): Asked => ({
  path: "/a2a",
  body: { jsonrpc: "2.0", id: 1, method, params },
});
const chat = (message: string, session_id: string, more = {}): Asked => ({
  path: "/api/chat",
  body: { message, session_id, ...more },
});
const v1 = (content: string, session: string): Asked => ({
  path: "/v1/chat/completions",
  body: { session_id: session, messages: [{ role: "user", content }] },
});
const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status);
const waiting = async (): Promise<number> =>
  (await asSelf({ method: "GET", path: "/api/approvals" })).body.pending as number;

it("names the routes that decide for the operator", () => {
  const names = (always: boolean) => new Set(decides(always).map(({ name }) => name));
  expect(names(true)).toEqual(
    new Set([
      ...["approvals.decide", "approvals.revoke"],
      ...["knowledge.add", "knowledge.edit", "knowledge.remove", "knowledge.restore"],
      ...["knowledge.promote", "knowledge.withdraw", "knowledge.review"],
      ...[
        "knowledge.ingest",
        "knowledge.attach",
        "knowledge.deleteSource",
        "knowledge.restoreSource",
        "knowledge.import",
      ],
      ...["mcp.add", "mcp.import", "mcp.test", "mcp.edit", "mcp.remove", "mcp.definitions"],
      ...["mcp.signIn", "mcp.signInFinish", "mcp.signOut", "mcp.replay"],
      ...["memory.removeSession", "memory.harvest", "memory.forget", "memory.editHot", "memory.removeHot"],
      ...["projects.add", "projects.clone", "projects.edit", "projects.remove"],
      ...["playbooks.add", "playbooks.edit", "playbooks.remove", "playbooks.restore", "playbooks.promote"],
      ...["config.soul.restore", "tools.call"],
    ]),
  );
  expect(names(false)).toEqual(
    new Set([
      ...["chat.send", "config.save", "setup.complete", "goals.set"],
      ...["providers.add", "providers.edit", "providers.remove", "scheduler.create", "scheduler.edit"],
      ...["settings.apply", "settings.reset", "watches.create", "watches.edit"],
    ]),
  );
});

describe("another user of the machine", () => {
  it(
    "gets 403 from every route that decides, whatever is sent, where its own user does not",
    onLinux(async () => {
      const requests = decides(true).map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/, "x") }));
      const refused = await asOther(...requests);
      expect(statuses(refused)).toEqual(requests.map(() => 403));
      expect(refused[0]!.body.detail).toMatch(/another user's\. Set auth\.token/);
      for (const request of requests) expect((await asSelf(request)).status).not.toBe(403);
    }),
  );

  it(
    "approves nothing on any surface, and the calls wait for the service's user",
    onLinux(async () => {
      const sent = await asSelf(rpc("message/send", textParams(CALL, { contextId: "a2a" })));
      const taskId: string = sent.body.result.id;
      await asSelf(chat(CALL, "chat"));
      await asSelf(v1(CALL, "v1"));
      const before = await waiting();
      expect(before).toBe(3);
      const answer = textParams("approve", { taskId, contextId: "a2a" });
      const refused = await asOther(
        rpc("message/send", answer),
        rpc("message/stream", answer),
        { path: "/v1/message:send", body: answer },
        chat("approve", "chat", { hitl_resume: true }),
        v1("approve", "v1"),
      );
      expect(statuses(refused)).toEqual([403, 403, 403, 403, 403]);
      expect(refused[0]!.body.detail).toMatch(/another user/);
      expect(refused[4]!.body.error.type).toBe("permission_error");
      expect(await waiting()).toBe(before);
      expect((await asSelf(chat("approve", "chat", { hitl_resume: true }))).body.state).toBe("completed");
      expect((await asSelf(rpc("message/send", answer))).body.result.status.state).toBe("completed");
      expect((await asSelf(v1("approve", "v1"))).status).toBe(200);
    }),
  );

  it(
    "calls no tool over MCP, and asks the agent like anyone",
    onLinux(async () => {
      const mcp = (name: string, args: object): Asked => ({
        path: "/mcp",
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      });
      const [called, asked] = await asOther(mcp("current_time", {}), mcp("ask_agent", { message: "hello" }));
      expect(JSON.stringify(called)).toMatch(/another user's.*"isError\W+true|isError\W+true.*another user's/);
      expect(JSON.stringify(asked)).toContain("You said: hello");
    }),
  );

  it(
    "waives nothing, and chats and answers questions like anyone",
    onLinux(async () => {
      const waived = textParams("hello", { metadata: { bypass_approvals: true } });
      const answers = await asOther(
        chat("hello", "free", { bypass_approvals: true }),
        rpc("message/send", waived),
        rpc("message/stream", waived),
        chat("hello", "free"),
        chat('/call ask_human {"question": "Where?"}', "asked"),
        chat("Rome", "asked", { hitl_resume: true }),
      );
      expect(statuses(answers)).toEqual([403, 403, 403, 200, 200, 200]);
    }),
  );

  it(
    "saves no security section and no secret, and other settings",
    onLinux(async () => {
      const apply = (updates: object): Asked => ({ path: "/api/settings", body: { updates } });
      const config = (tree: object): Asked => ({ path: "/api/config", body: { config: tree } });
      const gateway = { id: "gate", type: "compat-gateway", base_url: "http://127.0.0.1:1/v1" };
      const refused = await asOther(
        apply({ "filesystem.run_requires_approval": false }),
        apply({ "identity.name": "Eve", "enforcement.require_approval": [] }),
        apply({ "auth.token": "theirs" }),
        { path: "/api/settings/reset", body: { keys: ["enforcement.require_approval"] } },
        config({ projects: [{ name: "root", path: "/srv", write: true }] }),
        config({ egress: { allowed_hosts: ["internal.example"] } }),
        { path: "/api/config/setup", body: { config: { filesystem: { bypass_allowed: false } } } },
        { path: "/api/providers", body: { ...gateway, api_key: "stolen-key-0123456789" } },
      );
      expect(statuses(refused)).toEqual(refused.map(() => 403));
      const taken = await asOther(apply({ "identity.name": "Ada" }), config({ model: { temperature: 0.4 } }));
      expect(statuses(taken)).toEqual([200, 200]);
      const own = await asSelf(apply({ "enforcement.require_approval": ["calculator", "current_time"] }));
      expect(own.status).toBe(200);
    }),
  );

  it(
    "decides like the operator with SVC_ALLOW_OPEN=1",
    onLinux(async () => {
      await using open = await startTestService({ env: { SVC_ALLOW_OPEN: "1" }, ...tables });
      const closed = running;
      running = open;
      const [answer] = await asOther({ method: "DELETE", path: "/api/approvals/grants/none" });
      running = closed;
      expect(answer!.status).toBe(404);
    }),
  );
});
