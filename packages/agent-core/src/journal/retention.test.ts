import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { answerText, coreBench, countedTool, eventsOf, followed, planOf, say } from "../core-bench.ts";
import type { AgentCore } from "../create-agent-core.ts";
import { foldEvents } from "../event/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { removeExpired } from "./retention.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const keep = { retentionDays: 30, conversationDays: 60 };
const expire = (core: AgentCore, later: number, days = keep) => removeExpired(core.db, Date.now() + later, days);
const count = async (core: AgentCore, table: string): Promise<number> =>
  Number((await core.db.read({ sql: `SELECT count(*) FROM ${table}`, args: [] }))[0]?.[0]);

/** A task whose text was streamed to somebody. */
async function streamed() {
  const core = await bench.start({ model: scriptedModel(() => [{ say: "Hel" }, { say: "lo" }]) });
  const task = await core.tasks.start({ context: "c", text: "?" });
  const reader = followed(task);
  await reader.done;
  return { core, task, events: reader.events };
}

describe("retention (ruling R12, E10)", () => {
  test("takes deltas 24 hours after the end; replay and picture still tell the task", async () => {
    const { core, task, events } = await streamed();
    await expire(core, DAY - HOUR);
    expect(await eventsOf(core, task.id)).toEqual(events);
    await expire(core, DAY + 1_000);
    const left = events.filter(({ event }) => event.kind !== "text.delta");
    expect(left.length).toBeLessThan(events.length);
    expect(await eventsOf(core, task.id)).toEqual(left);
    const again = (await core.tasks.get(task.id))!;
    expect(answerText(again)).toBe("Hello");
    expect(again.view).toMatchObject({ state: "completed", seq: events.length });
    const replayed = followed(again);
    await replayed.done;
    expect(replayed.events).toEqual(left);
    const late = followed(again, 2);
    await late.done;
    expect(late.events).toEqual(left.filter(({ seq }) => seq > 2));
    expect(await again.at(99)).toEqual(foldEvents(task.id, left));
  });

  // With 200 idle contexts among 1,000, the store had not answered after a minute, and took no commit meanwhile.
  test("looks for idle conversations by the index: one costs no look at the messages of the others", async () => {
    const { core } = await streamed();
    const read = vi.spyOn(core.db, "read");
    await expire(core, 61 * DAY);
    const asked = read.mock.calls.map(([{ sql }]) => sql).filter((sql) => sql.includes("FROM message"));
    read.mockRestore();
    expect(asked).toHaveLength(2);
    const steps = (await planOf(core, asked[0]!)).filter((step) => / (?:message|message_context|m|n)\b/.test(step));
    expect(steps.toSorted()).toEqual([
      "SCAN message USING COVERING INDEX message_context",
      "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH n USING INDEX message_context (class=? AND context=?)",
    ]);
  });

  test("takes the journal rows after the configured days, and the conversation only after its own [R10-13.4-21]", async () => {
    const { core, task } = await streamed();
    await expire(core, 30 * DAY - HOUR);
    expect(await count(core, "task")).toBe(1);
    expect(await expire(core, 30 * DAY + 1_000)).toMatchObject({ contexts: 0 });
    expect([await count(core, "task"), await count(core, "event"), await count(core, "message")]).toEqual([0, 0, 2]);
    await expect(core.tasks.answer(task.id, { answer: "x" })).rejects.toMatchObject({ code: "unknown_task" });
    expect(await expire(core, 60 * DAY + 1_000)).toMatchObject({ contexts: 1 });
    expect(await count(core, "message")).toBe(0);
  });

  test("takes nothing of a task that waits for a person, nor its conversation", async () => {
    const asks = countedTool("asks", { run: () => park.question("?") });
    const model = scriptedModel([[{ call: { name: "asks" } }], "Thanks."]);
    const core = await bench.start({ model, tools: [asks.tool] });
    const task = await core.tasks.start({ context: "c", text: "?" });
    await task.settled();
    const before = await eventsOf(core, task.id);
    await expire(core, 400 * DAY);
    expect(await eventsOf(core, task.id)).toEqual(before);
    await core.tasks.answer(task.id, { answer: "Rome" });
    await task.settled();
    expect(answerText(task)).toBe("Thanks.");
    expect(model.calls[1]?.request.messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
  });

  test("takes idempotency keys after 24 hours", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    const task = await core.service.start({
      class: "operator",
      origin: "a2a",
      input: say("go"),
      key: { key: "k", digest: "d" },
    });
    await task.settled();
    await expire(core, DAY - HOUR);
    expect(await count(core, "idempotency")).toBe(1);
    await expire(core, DAY + 1_000);
    expect(await count(core, "idempotency")).toBe(0);
  });

  test("goes through more tasks than one bite holds", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    const tasks = await Promise.all(Array.from({ length: 450 }, () => core.tasks.start({ text: "?" })));
    await Promise.all(tasks.map((task) => task.settled()));
    await expire(core, 100 * DAY);
    expect([await count(core, "task"), await count(core, "event"), await count(core, "message")]).toEqual([0, 0, 0]);
  });
});
