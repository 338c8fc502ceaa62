import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { systemClock } from "../clock/index.ts";
import { coreBench, countedTool, reading } from "../core-bench.ts";
import type { AgentCore } from "../create-agent-core.ts";
import { createRedactor } from "../redaction/index.ts";
import { scriptedModel } from "../testing/index.ts";
import { AuditLog, type AuditLogOptions, callArguments } from "./audit-log.ts";

const bench = coreBench();
const folder = mkdtempSync(join(tmpdir(), "audit-"));
afterEach(() => bench.end());
afterAll(() => {
  bench.remove();
  rmSync(folder, { recursive: true });
});

let files = 0;
const SECRET = "the-operators-own-secret";

interface Agent {
  readonly core: AgentCore;
  readonly path: string;
}

async function start(
  calls: readonly { readonly name: string; readonly args?: unknown }[],
  more: Partial<AuditLogOptions> & { readonly store?: string; readonly path?: string } = {},
): Promise<Agent> {
  const { store, path = join(folder, `${files++}`, "audit.jsonl"), ...options } = more;
  const running: { core?: AgentCore } = {};
  const log = new AuditLog({
    path,
    makeFolder: (missing) => void mkdirSync(missing, { recursive: true }),
    redactor: createRedactor({ secrets: () => [SECRET] }),
    enabled: () => true,
    argumentsOf: (ids) => callArguments(running.core!.db, ids),
    clock: systemClock(),
    ...options,
  });
  const core = await bench.start({
    model: scriptedModel((request) =>
      request.messages.at(-1)?.role === "tool" ? "Done." : calls.map((call) => ({ call })),
    ),
    tools: [
      countedTool("count", { effect: "pure", run: () => `found ${SECRET}` }).tool,
      countedTool("order").tool,
      countedTool("fail", {
        run: () => {
          throw new Error("broken");
        },
      }).tool,
    ],
    features: [reading(log)],
    ...(store === undefined ? {} : { store }),
  });
  running.core = core;
  return { core, path };
}

async function turn({ core }: Agent): Promise<string> {
  const task = await core.tasks.start({ context: "c1", text: "go" });
  await task.settled();
  return task.id;
}

function lines(path: string): { readonly [name: string]: unknown }[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly [name: string]: unknown });
}

test("every call that ended has a line with the heads of its arguments and result, and no secret (AL1)", async () => {
  const long = "x".repeat(2000);
  const agent = await start([
    { name: "count", args: { note: `my ${SECRET}` } },
    { name: "order", args: { long } },
    { name: "fail" },
  ]);
  const task = await turn(agent);
  await agent.core.feed.idle();
  const written = lines(agent.path);
  expect(
    written
      .map(({ tool, success, outcome }) => [tool, success, outcome])
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  ).toEqual([
    ["count", true, "ok"],
    ["fail", false, "error"],
    ["order", true, "ok"],
  ]);
  const of = (tool: string) => written.find((line) => line.tool === tool);
  expect(of("count")).toMatchObject({ session: "c1", task, args: '{"note":"my ***"}', result: "found ***" });
  expect(String(of("order")?.args)).toMatch(/^\{"long":"x{491}$/);
  expect(of("order")?.ts).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(readFileSync(agent.path, "utf8")).not.toContain(SECRET);
  expect(statSync(agent.path).mode & 0o777).toBe(0o600);
});

test("a killed process leaves no call without its line, and none gets two (AL2)", async () => {
  const store = bench.newStore();
  const first = await start([{ name: "order" }], { store });
  const { path } = first;
  await turn(first);
  await first.core.feed.idle();
  await bench.crash(first.core);
  // Never written: the process is killed before.
  const blocked = await start([{ name: "order" }], { store, path: join(folder, "never", "audit.jsonl") });
  for (let i = 0; i < 3; i++) await turn(blocked);
  await bench.crash(blocked.core);
  appendFileSync(path, '{"ts":"2026-01-01T00:00:00Z","task":"cut o');

  const second = await start([{ name: "order" }], { store, path });
  await turn(second);
  await second.core.feed.catchUp();
  expect(new Set(lines(path).map(({ task, seq }) => `${String(task)} ${String(seq)}`)).size).toBe(5);
  expect(lines(path)).toHaveLength(5);
  await second.core.stop();
  // Where the next process begins to look: what ended long before is not read again.
  const { at } = JSON.parse(readFileSync(`${path}.cursor`, "utf8")) as { at: number };
  expect(at).toBeGreaterThan(Date.now() - 60_000);
  const third = await start([], { store, path });
  await third.core.feed.catchUp();
  expect(lines(path)).toHaveLength(5);
});

test("the file is rotated before it outgrows its bound, and one backup stays (AL3)", async () => {
  const agent = await start([{ name: "order" }], { maxBytes: 700 });
  for (let i = 0; i < 6; i++) {
    await turn(agent);
    await agent.core.feed.idle();
  }
  expect(statSync(agent.path).size).toBeLessThanOrEqual(700);
  expect(statSync(`${agent.path}.1`).size).toBeLessThanOrEqual(700);
  expect(existsSync(`${agent.path}.2`)).toBe(false);
});

test("switched off it writes nothing", async () => {
  const agent = await start([{ name: "order" }], { enabled: () => false });
  await turn(agent);
  await agent.core.feed.catchUp();
  expect(existsSync(agent.path)).toBe(false);
});

test("notes wait for a file that cannot be written, the newest 1,000 of them, without secrets", async () => {
  const path = join(folder, `${files++}`, "audit.jsonl");
  let canWrite = false;
  const log = new AuditLog({
    ...{ path, enabled: () => true, argumentsOf: async () => new Map<string, string>(), clock: systemClock() },
    redactor: createRedactor({ secrets: () => [SECRET] }),
    makeFolder(missing) {
      if (!canWrite) throw new Error("the disk is full");
      mkdirSync(missing, { recursive: true });
    },
  });
  for (let no = 0; no < 1_002; no++) await log.note({ event: "test", no: String(no), said: SECRET });
  canWrite = true;
  await log.note({ event: "test", no: "last" });
  expect(lines(path).map(({ no }) => no)).toEqual([...Array.from({ length: 999 }, (_, i) => String(i + 3)), "last"]);
  expect(readFileSync(path, "utf8")).not.toContain(SECRET);
});
