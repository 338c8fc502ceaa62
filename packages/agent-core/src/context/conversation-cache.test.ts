import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, coreBench, countedTool, type StandardCore } from "../core-bench.ts";
import type { Database } from "../database/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { ConversationCache } from "./conversation-cache.ts";
import { readHistory, showHistory } from "./history.ts";
import { messageBody } from "./message-body.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const of = { class: "operator", context: "c" };

async function seed(core: StandardCore, count: number, { context, text = "text" }: { context: string; text?: string }) {
  const statements = Array.from({ length: count }, (_, i) => {
    const kind = i % 2 === 0 ? "user" : "assistant";
    const body =
      kind === "user"
        ? messageBody({ kind, content: [{ kind: "text", text: `${text} ${i}` }] })
        : messageBody({ kind, text: `${text} ${i}` });
    return core.journal.statements.insertMessage.bind({ class: "operator", context, task: "t", kind, body, at: i });
  });
  await core.db.commit({ label: "seed", statements });
}

async function send(core: StandardCore, context: string, text: string): Promise<string> {
  const task = await core.tasks.start({ context, text });
  await task.settled();
  return task.id;
}

/** A cache over a store whose rows are counted as they are read. */
function counted(core: StandardCore, bytes?: { operator: number; others: number }) {
  let rows = 0;
  const db: Database = Object.create(core.db, {
    read: {
      value: async (...args: Parameters<Database["read"]>) => {
        const found = await core.db.read(...args);
        rows += found.length;
        return found;
      },
    },
  });
  const clock = manualClock();
  const cache = new ConversationCache({ db, statements: core.journal.statements, clock, ...(bytes && { bytes }) });
  const taken = (): number => {
    const before = rows;
    rows = 0;
    return before;
  };
  return { cache, clock, taken };
}

async function stored(core: StandardCore, key = of) {
  return showHistory(await readHistory(core.db, core.journal.statements, key));
}

describe("a conversation that continues", () => {
  test("is read on from its last turn, with the same messages as objects (CC1)", async () => {
    const core = await bench.start({ model: scriptedModel((_, call) => `Answer ${call}.`) });
    await seed(core, 900, { context: "c" });
    const { cache, taken } = counted(core);
    const first = await cache.read(of);
    expect(taken()).toBe(900);
    await send(core, "c", "on");
    const second = await cache.read(of);
    // The new rows, and one that shows that the others still exist.
    expect(taken()).toBe(3);
    expect(second.messages).toEqual(await stored(core));
    expect(second.messages.slice(0, 900).every((message, i) => message === first.messages[i])).toBe(true);
    expect(second.forms).toBe(first.forms);
    first.messages.push({ role: "assistant", text: "a turn's own" });
    expect((await cache.read(of)).messages).toEqual(second.messages);
  });

  test("shows an answer that a person gives later at its call (CC2)", async () => {
    const model = scriptedModel((request, call) => {
      const asked = JSON.stringify(request.messages.at(-1)).includes("ask me");
      return asked ? [{ call: { name: "send", args: {} } }] : `Answer ${call}.`;
    });
    const { tool } = countedTool("send", { approval: () => ({ title: "Send?", detail: "" }), run: () => "sent" });
    const core = await bench.start({ model, tools: [tool] });
    const { cache } = counted(core);
    await send(core, "c", "first");
    await cache.read(of);
    const parked = await core.tasks.start({ context: "c", text: "ask me" });
    await parked.settled();
    await send(core, "c", "meanwhile");
    const waiting = await cache.read(of);
    expect(waiting.messages).toEqual(await stored(core));
    expect(JSON.stringify(waiting.messages)).toContain("awaiting a person");
    await core.tasks.answer(parked.id, { answer: "yes" });
    await parked.settled();
    const { messages } = await cache.read(of);
    expect(messages).toEqual(await stored(core));
    expect(JSON.stringify(messages)).not.toContain("awaiting a person");
    expect((await cache.read(of)).messages).toEqual(messages);
  });

  test("keeps results with their calls", async () => {
    const { tool } = countedTool("look", { effect: "pure", run: () => "seen" });
    const model = scriptedModel((_, call) => (call % 2 === 1 ? [{ call: { name: "look", args: {} } }] : "Done."));
    const core = await bench.start({ model, tools: [tool] });
    const { cache } = counted(core);
    for (let turn = 0; turn < 4; turn++) {
      await send(core, "c", `turn ${turn}`);
      expect((await cache.read(of)).messages).toEqual(await stored(core));
    }
  });

  test("is read whole again once some of its rows were deleted, or another is in the place of the last one", async () => {
    const core = await bench.start({ model: scriptedModel([]) });
    await seed(core, 10, { context: "c" });
    const { cache } = counted(core);
    await cache.read(of);
    const remove = "DELETE FROM message WHERE context = 'c' AND id IN (SELECT id FROM message ORDER BY id LIMIT 2)";
    await core.db.commit({ label: "removed", statements: [{ sql: remove, args: [] }] });
    expect((await cache.read(of)).messages).toHaveLength(8);
    const reused =
      "UPDATE message SET task = 'other', body = '{\"text\":\"other\"}' WHERE id = (SELECT max(id) FROM message)";
    await core.db.commit({ label: "reused", statements: [{ sql: reused, args: [] }] });
    expect((await cache.read(of)).messages.at(-1)).toEqual({ role: "assistant", text: "other" });
  });
});

describe("what is removed is shown no more", () => {
  test("after a deletion of the session, under the same name", async () => {
    const model = scriptedModel((_, call) => `Answer ${call}.`);
    const core = await bench.start({ model });
    for (const text of ["one", "two", "three"]) await send(core, "c", text);
    await core.features.sessions.removal.remove("c", { retire: true });
    await send(core, "c", "anew");
    await send(core, "c", "again");
    expect(JSON.stringify(model.calls.at(-1)?.request.messages)).not.toContain("two");
    expect(model.calls.at(-1)?.request.messages).toHaveLength(3);
  });

  test("after the end of an incognito turn, in a fork of its session too", async () => {
    const model = scriptedModel((_, call) => `Answer ${call}.`);
    const core = await bench.start({ model });
    await send(core, "c", "plain");
    const secret = await core.service.start({
      ...of,
      origin: "chat",
      input: { messageId: "m", parts: [{ kind: "text", text: "hush" }], metadata: { incognito: true } },
    });
    await secret.settled();
    expect(answerText(secret)).toBe("Answer 2.");
    const last = await send(core, "c", "after");
    const fork = await core.features.sessions.edits.fork("c", { turn: last });
    await send(core, fork, "in the fork");
    await send(core, fork, "on");
    expect(JSON.stringify(model.calls.at(-1)?.request.messages)).toContain("hush");
    await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
    for (const context of ["c", fork]) {
      await send(core, context, "and now?");
      const shown = JSON.stringify(model.calls.at(-1)?.request.messages);
      expect(shown).not.toContain("hush");
      expect(shown).toContain("plain");
    }
  });
});

describe("what is kept is bounded (CC3)", () => {
  test("in bytes, and peers' conversations evict none of the operator's", async () => {
    const core = await bench.start({ model: scriptedModel([]) });
    for (let i = 0; i < 10; i++) await seed(core, 10, { context: `c${i}`, text: "x".repeat(1_000) });
    await core.db.commit({
      label: "copied",
      statements: [
        {
          sql: "INSERT INTO message (class, context, task, kind, body, at) SELECT 'federation', context, task, kind, body, at FROM message",
          args: [],
        },
      ],
    });
    const { cache, taken } = counted(core, { operator: 100_000, others: 60_000 });
    for (let i = 0; i < 10; i++) await cache.read({ class: "operator", context: `c${i}` });
    const { conversations, bytes } = cache.kept;
    expect(conversations).toBeGreaterThan(1);
    expect(bytes).toBeLessThanOrEqual(100_000);
    for (let i = 0; i < 10; i++) await cache.read({ class: "federation", context: `c${i}` });
    taken();
    await cache.read({ class: "operator", context: "c9" });
    expect(taken()).toBe(1);
    await cache.read({ class: "operator", context: "c0" });
    expect(taken()).toBe(10);
    expect(cache.kept.bytes).toBeLessThanOrEqual(160_000);
  });

  test("in time: a conversation is evicted ten minutes after its last turn", async () => {
    const core = await bench.start({ model: scriptedModel([]) });
    await seed(core, 10, { context: "c" });
    const { cache, clock } = counted(core);
    await cache.read(of);
    expect(cache.kept.conversations).toBe(1);
    await clock.advance(1_200_000);
    expect(cache.kept).toEqual({ conversations: 0, bytes: 0 });
  });
});
