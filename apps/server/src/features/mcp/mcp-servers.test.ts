/** A program that speaks MCP, as the configuration names it: its tools in turns, its state, its end. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manualClock } from "@agent-service/agent-core/testing";
import { expect, test } from "vitest";
import { temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

/** A server of 2025 that ends at the first request it does not know, as some do; each start is a line of `starts`. */
const PROGRAM = `
  import { appendFileSync } from "node:fs";
  import { createInterface } from "node:readline";
  appendFileSync(process.env.STARTS, process.pid + "\\n");
  const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize")
      answer(id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "p", version: "1" } });
    else if (method === "tools/list")
      answer(id, { tools: [{ name: "env", description: "Shows.", inputSchema: { type: "object" } }] });
    else if (method === "tools/call") {
      if (params.arguments.end === true) process.exit(3);
      const { GREETING, SVC_HOME = "none" } = process.env;
      answer(id, { content: [{ type: "text", text: GREETING + " " + SVC_HOME }] });
    } else if (id !== undefined) process.exit(1);
  }
`;

test("a program's tools are in turns, and it ends with the service", async () => {
  const folders = temporaryFolders();
  try {
    mkdirSync(folders.home, { recursive: true });
    const program = join(folders.home, "server.mjs");
    const starts = join(folders.home, "starts");
    writeFileSync(program, PROGRAM);
    const entry = {
      name: "local",
      command: process.execPath,
      args: [program],
      env: { GREETING: "hello", STARTS: starts },
    };
    folders.configure(`mcp: ${JSON.stringify({ enabled: true, servers: [entry] })}\n`);
    const running = await startTestService({ folders, env: { PATH: process.env.PATH ?? "" } });
    const status = async () => (await (await fetch(`${running.url}/api/runtime/status`)).json()) as Status;
    const server = async () => (await status()).mcp.servers[0];
    await expect.poll(server).toMatchObject({ name: "local", transport: "stdio", tool_count: 1 });
    expect(await status()).toMatchObject({
      mcp: { enabled: true, tool_count: 1 },
    });
    expect(textOf(await running.wire.say("/call local__env {}"))).toContain("hello none");
    const ended = textOf(await running.wire.say('/call local__env {"end":true}'));
    expect(ended).toMatch(/may have happened|unknown/i);
    const pids = readPids(starts);
    // The probe's program, and the one that the connection was.
    expect(pids).toHaveLength(2);
    await running.stop();
    expect(readPids(starts).filter(isAlive)).toEqual([]);
  } finally {
    folders.remove();
  }
});

test("programs are started once the first requests had their time, and by a call before", async () => {
  const folders = temporaryFolders();
  try {
    mkdirSync(folders.home, { recursive: true });
    const program = join(folders.home, "server.mjs");
    const starts = join(folders.home, "starts");
    writeFileSync(program, PROGRAM);
    const env = { GREETING: "hello", STARTS: starts };
    const entry = { name: "local", command: process.execPath, args: [program], env };
    folders.configure(`mcp: ${JSON.stringify({ enabled: true, servers: [entry] })}\n`);
    const clock = manualClock(1_000);
    const first = await startTestService({ folders, clock, env: { PATH: process.env.PATH ?? "" } });
    const stateAt = async (url: string) => {
      const { servers } = (await (await fetch(`${url}/api/mcp/servers`)).json()) as Servers;
      return servers[0]?.state;
    };
    expect(await stateAt(first.url)).toBe("idle");
    expect(existsSync(starts)).toBe(false);
    await expect
      .poll(async () => {
        await clock.advance(50);
        return stateAt(first.url);
      })
      .toBe("ready");
    await first.stop();
    // What it showed is known from the first start.
    const frozen = manualClock(1_000_000);
    const second = await startTestService({ folders, clock: frozen, env: { PATH: process.env.PATH ?? "" } });
    expect(await stateAt(second.url)).toBe("idle");
    expect(textOf(await second.wire.say("/call local__env {}"))).toContain("hello none");
    expect(await stateAt(second.url)).toBe("ready");
    await second.stop();
  } finally {
    folders.remove();
  }
});

interface Servers {
  readonly servers: readonly { readonly state: string }[];
}

interface Status {
  readonly mcp: { readonly servers: readonly object[] };
}

function readPids(path: string): readonly number[] {
  return readFileSync(path, "utf8").trim().split("\n").map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
