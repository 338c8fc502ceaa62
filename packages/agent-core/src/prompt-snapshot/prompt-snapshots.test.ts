import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import type { ModelMessage } from "../model/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { type ManualClock, manualClock } from "../testing/index.ts";
import type { ObservedCall } from "../turn/index.ts";
import { PromptSnapshots } from "./prompt-snapshots.ts";

const folder = mkdtempSync(join(tmpdir(), "prompts-"));
const open: Database[] = [];
afterAll(async () => {
  for (const db of open) await db.close();
  rmSync(folder, { recursive: true });
});

const DAY = 86_400_000;
const SECRET = "the-operators-own-secret";
let clock: ManualClock;
let db: Database;
let settings = { capture: true, retentionDays: 30, maxCalls: 5000 };
let prompts: PromptSnapshots;
const warnings: string[] = [];

beforeEach(async () => {
  clock = manualClock();
  settings = { capture: true, retentionDays: 30, maxCalls: 5000 };
  db = await openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, `${open.length}.db`)}`,
    owner: { name: "test" },
    schema: "observation",
  });
  open.push(db);
  prompts = new PromptSnapshots({
    db: async () => db,
    clock,
    redactor: createRedactor({ secrets: () => [SECRET] }),
    settings: () => settings,
    log: { warn: (text) => warnings.push(text) },
  });
});

function call(task: string, step: number, more: Partial<ObservedCall> = {}): ObservedCall {
  return {
    view: { id: task, class: "operator", context: "c1" },
    incognito: false,
    step,
    at: clock.now(),
    model: "m",
    effort: undefined,
    persona: "You are kind.",
    system: "You are kind.",
    messages: [{ role: "user", content: [{ kind: "text", text: "12345678" }] }],
    shown: 1,
    tools: [],
    usage: { input: 10, output: 5, cacheRead: 4, cacheWrite: 1 },
    ...more,
  };
}

test("a call is reported with its texts apart, its parts by size, and no secret", async () => {
  prompts.capture(call("t1", 1, { effort: "high", system: `You are kind.\n\nThe token is ${SECRET}.` }));
  await prompts.flush();
  expect(await prompts.last()).toEqual({
    call_index: 1,
    task_id: "t1",
    reasoning_effort: "high",
    ts: new Date(clock.now()).toISOString(),
    model: "m",
    system: { stable: "You are kind.", context: "The token is ***.", wire_differs: false, wire: "" },
    sections: [
      { label: "Persona", chars: 13, approx_tokens: 4, scope: "stable" },
      { label: "Instructions", chars: 38, approx_tokens: 10, scope: "session" },
      { label: "Conversation", chars: 8, approx_tokens: 2, scope: "turn" },
    ],
    last_message: expect.any(String),
    subagent_type: null,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_tokens: 4, cache_creation_tokens: 1 },
  });
});

test("what was recalled, and lines of earlier conversations, are parts of their own (K16)", async () => {
  const text =
    "What this is.\n--- x ---\nEarlier conversations:\nsession a [chat] Hi\nFound for this message:\n#1 Tea\n--- x ---";
  const content = [
    { kind: "text", text: "12345678" },
    { kind: "text", text, aside: true },
  ] as const;
  prompts.capture(call("t1", 1, { messages: [{ role: "user", content }] }));
  await prompts.flush();
  const sections = (await prompts.last())?.sections.map(({ label, chars }) => [label, chars]);
  const digest = "\nEarlier conversations:\nsession a [chat] Hi".length;
  expect(sections?.slice(-3)).toEqual([
    ["Conversation", 8],
    ["Memory", text.length - digest],
    ["Earlier conversations", digest],
  ]);
});

test("the calls of a turn come in order, with the turn before it; of a session the newest is returned", async () => {
  for (const [task, step] of [
    ["t1", 1],
    ["t2", 1],
    ["t2", 2],
  ] as const)
    prompts.capture(call(task, step));
  prompts.capture(call("t3", 1, { view: { id: "t3", class: "operator", context: "c2" } }));
  await prompts.flush();
  const turn = await prompts.ofTask("t2");
  expect(turn?.calls.map(({ call_index }) => call_index)).toEqual([1, 2]);
  expect(turn?.prev).toBe("t1");
  expect((await prompts.ofTask("t1"))?.prev).toBeUndefined();
  expect(await prompts.ofTask("nobody")).toBeUndefined();
  expect((await prompts.last("c1"))?.task_id).toBe("t2");
  expect((await prompts.last())?.task_id).toBe("t3");
});

test("a text that stays the same is kept once, and deleted with its last call", async () => {
  settings = { ...settings, maxCalls: 3 };
  for (let i = 0; i < 3; i++) prompts.capture(call(`old${i}`, 1, { persona: "Old.", system: "Old." }));
  await prompts.flush();
  for (let i = 0; i < 3; i++) prompts.capture(call(`new${i}`, 1));
  await prompts.flush();
  expect(await db.read({ sql: "SELECT text FROM prompt_text", args: [] })).toEqual([["You are kind."]]);
  expect(await prompts.ofTask("old2")).toBeUndefined();
});

test("both caps trim at write time, and the one that binds is named (B42)", async () => {
  settings = { ...settings, maxCalls: 2, retentionDays: 10 };
  prompts.capture(call("t1", 1));
  await prompts.flush();
  expect(await prompts.retention()).toMatchObject({ calls: 1, binding_cap: "retention_days", effective_days: 10 });
  await clock.advance(DAY);
  for (const task of ["t2", "t3"]) prompts.capture(call(task, 1));
  await prompts.flush();
  await clock.advance(DAY);
  expect(await prompts.retention()).toEqual({
    retention_days: 10,
    max_calls: 2,
    calls: 2,
    oldest_ts: new Date(clock.now() - DAY).toISOString(),
    newest_ts: new Date(clock.now() - DAY).toISOString(),
    effective_days: 1,
    binding_cap: "max_calls",
  });
  await clock.advance(10 * DAY);
  prompts.capture(call("t4", 1));
  await prompts.flush();
  expect(await prompts.retention()).toMatchObject({ calls: 1, binding_cap: "retention_days" });
  settings = { ...settings, maxCalls: 0, retentionDays: 0 };
  expect(await prompts.retention()).toMatchObject({ binding_cap: null, effective_days: null });
});

test("switched off it keeps nothing", async () => {
  settings = { ...settings, capture: false };
  prompts.capture(call("t1", 1));
  await prompts.flush();
  expect(await prompts.last()).toBeUndefined();
});

test("what is captured is written after a second, and a very long text in part", async () => {
  prompts.capture(call("t1", 1, { system: `You are kind.${"x".repeat(300_000)}` }));
  expect(await prompts.last()).toBeUndefined();
  await clock.advance(1_000);
  await prompts.flush();
  const length = (await prompts.last())?.system.context.length ?? 0;
  expect(length).toBeGreaterThan(262_000);
  expect(length).toBeLessThan(262_300);
  expect(warnings).toEqual([]);
});

const said = (text: string): ModelMessage => ({ role: "user", content: [{ kind: "text", text }] });

/** The conversation of a call, followed from its newest message back. */
function conversationOf(
  turn: Awaited<ReturnType<PromptSnapshots["ofTask"]>>,
  index: number,
): readonly (string | undefined)[] {
  const byId = new Map(turn?.messages.map((message) => [message.id, message]));
  const texts: string[] = [];
  for (let at = turn?.calls[index]?.last_message; at !== null && at !== undefined; at = byId.get(at)?.prior) {
    texts.unshift(byId.get(at)?.text ?? "(missing)");
  }
  return texts;
}

test("calls whose instructions are the same have each the conversation they were sent, every message stored once", async () => {
  const messages: ModelMessage[] = [said(`Look up ${SECRET}`)];
  prompts.capture(call("t1", 1, { messages, shown: 1 }));
  messages.push({ role: "assistant", text: "", toolCalls: [{ id: "c1", name: "find", args: '{"q":"x"}' }] });
  messages.push({ role: "tool", callId: "c1", name: "find", text: "nothing" });
  prompts.capture(call("t1", 2, { messages, shown: 3 }));
  await prompts.flush();
  messages.push({ role: "assistant", text: "There is nothing." });
  prompts.capture(call("t2", 1, { messages: [...messages, said("Again")], shown: 5 }));
  await prompts.flush();
  const turn = await prompts.ofTask("t1");
  expect(conversationOf(turn, 0)).toEqual(["Look up ***"]);
  expect(conversationOf(turn, 1)).toEqual(["Look up ***", "", "nothing"]);
  expect(turn?.messages[1]).toMatchObject({
    role: "assistant",
    tool_calls: [{ id: "c1", name: "find", args: '{"q":"x"}' }],
  });
  expect(turn?.messages[2]).toMatchObject({ role: "tool", call_id: "c1", tool: "find" });
  expect(conversationOf(await prompts.ofTask("t2"), 0)).toEqual([
    ...["Look up ***", "", "nothing", "There is nothing.", "Again"],
  ]);
  expect(await db.read({ sql: "SELECT count(*) FROM prompt_message", args: [] })).toEqual([[5]]);
});

test("the same words in two sessions are kept apart, and go with their session", async () => {
  const messages = [said("Hello")];
  const other = { id: "t2", class: "operator", context: "c2" } as const;
  prompts.capture(call("t1", 1, { messages }));
  prompts.capture(call("t2", 1, { messages, view: other }));
  await prompts.forget("c1");
  expect(conversationOf(await prompts.ofTask("t2"), 0)).toEqual(["Hello"]);
  expect(await db.read({ sql: "SELECT count(*) FROM prompt_message", args: [] })).toEqual([[1]]);
  prompts.capture(call("t3", 1, { messages }));
  await prompts.flush();
  expect(conversationOf(await prompts.ofTask("t3"), 0)).toEqual(["Hello"]);
});

test("messages that no kept call was sent are removed, and are stored again with a later call", async () => {
  settings = { ...settings, maxCalls: 1 };
  const messages = [said("Hello")];
  prompts.capture(call("t1", 1, { messages }));
  await prompts.flush();
  await clock.advance(300_000);
  prompts.capture(call("t2", 1, { messages: [said("Other")], view: { id: "t2", class: "operator", context: "c2" } }));
  await prompts.flush();
  expect(await db.read({ sql: "SELECT body ->> 'text' FROM prompt_message", args: [] })).toEqual([["Other"]]);
  prompts.capture(call("t3", 1, { messages }));
  await prompts.flush();
  expect(conversationOf(await prompts.ofTask("t3"), 0)).toEqual(["Hello"]);
});

test("of many calls in a second the first 50 keep their conversation, and the others are marked", async () => {
  for (let step = 1; step <= 51; step++) prompts.capture(call("t1", step, { messages: [said(`Call ${step}`)] }));
  await prompts.flush();
  const turn = await prompts.ofTask("t1");
  expect(conversationOf(turn, 49)).toEqual(["Call 50"]);
  expect(turn?.calls[50]?.last_message).toBeNull();
  prompts.capture(call("t2", 1));
  await prompts.flush();
  expect((await prompts.last())?.last_message).not.toBeNull();
});
