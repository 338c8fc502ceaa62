import { afterAll, afterEach, describe, expect, test } from "vitest";
import { DEFAULT_CONTEXT_SETTINGS, messageBody, type StoredMessage } from "../../context/index.ts";
import { coreBench, eventsOfKind } from "../../core-bench.ts";
import type { AgentCore } from "../../create-agent-core.ts";
import type { ModelRequest } from "../../model/index.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** Writes a conversation of `count` messages, question and answer in turns. */
async function seed(core: AgentCore, context: string, count: number): Promise<void> {
  const statements = Array.from({ length: count }, (_, i) => {
    const message: StoredMessage =
      i % 2 === 0
        ? { kind: "user", content: [{ kind: "text", text: `old question ${i}` }] }
        : { kind: "assistant", text: `old answer ${i}` };
    const task = `00000000-0000-7000-8000-${String(i >> 1).padStart(12, "0")}`;
    const row = { class: "operator", context, task, kind: message.kind, body: messageBody(message), at: i };
    return core.journal.statements.insertMessage.bind(row);
  });
  await core.db.commit({ label: "seed", statements });
}

async function send(core: AgentCore, context: string, text: string): Promise<string> {
  const task = await core.tasks.start({ context, text });
  expect(await task.settled()).toMatchObject({ state: "completed" });
  return task.id;
}

function shownBytes({ messages }: ModelRequest): string {
  return messages.map((message) => JSON.stringify(message)).join("\n");
}

/** Share of a call's bytes that the call before it began with. */
function prefixShare(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return same / after.length;
}

const CUT = /\[(\d+) earlier messages of this conversation are not shown to you/;

describe("a conversation beyond the bound of what is shown", () => {
  test.for([994, 5_000])(
    "of %i messages keeps its prefix for 50 turns, except where its oldest quarter goes",
    async (count, { task }) => {
      const model = scriptedModel((_, call) => `Answer ${call}.`);
      const core = await bench.start({ model });
      await seed(core, "c", count);
      const tasks: string[] = [];
      for (let turn = 0; turn < 60; turn++) tasks.push(await send(core, "c", `question ${turn}`));
      const shown = model.calls.map(({ request }) => shownBytes(request));
      const shares = shown.slice(1).map((after, i) => prefixShare(shown[i]!, after));
      const cuts = (await Promise.all(tasks.map((id) => eventsOfKind(core, id, "context.cut")))).flat();
      // The share at the cut is the least of all; the first call of 5,000 messages has cut before.
      const steps = shares.toSorted((a, b) => a - b).slice(count < 1_000 ? 1 : 0);
      const most = Math.max(...model.calls.map(({ request }) => request.messages.length));
      task.meta.bounds = [
        {
          what: `prefix shared with the call before, least of 60 turns from ${count} messages on`,
          ...{ found: 100 * steps[0]!, least: 95, unit: "%" },
        },
        {
          // A turn that passes the bound is shown whole.
          what: `messages shown from ${count} on, with the one that passes 1,000`,
          ...{ found: most, most: 1_001, unit: "messages" },
        },
      ];
      expect(cuts).toHaveLength(1);
      expect(shares.filter((share) => share < 0.95)).toHaveLength(count < 1_000 ? 1 : 0);
      const newest = model.calls.at(-1)!.request.messages;
      expect(newest.length).toBeLessThan(1_001);
      expect(newest.length).toBeGreaterThan(750);
      const [first] = newest;
      // The messages shown and those noted as not shown are the whole conversation.
      expect(Number(CUT.exec(JSON.stringify(first))?.[1])).toBe(count + 119 - (newest.length - 1));
      expect(await core.features.sessions.catalog.read("c")).toMatchObject({
        outOfSight: cuts[0]?.outOfSight,
        summarised: false,
      });
    },
  );

  test("shows the same bytes after a restart", async () => {
    const store = bench.newStore();
    const core = await bench.start({ store, model: scriptedModel((_, call) => `Answer ${call}.`) });
    await seed(core, "c", 1_200);
    await send(core, "c", "before");
    await bench.crash(core);
    const model = scriptedModel(["One.", "Two."]);
    const again = await bench.start({ store, model });
    await send(again, "c", "after");
    await send(again, "c", "and on");
    const [after, on] = model.calls.map(({ request }) => shownBytes(request));
    expect(after).toMatch(CUT);
    expect(on?.startsWith(after!)).toBe(true);
  });

  test("gets a summary of what is removed where compaction is on", async () => {
    const model = scriptedModel((request, call) =>
      request.system?.startsWith("You summarise") === true ? "Vieles wurde gefragt." : `Answer ${call}.`,
    );
    const compaction = { ...DEFAULT_CONTEXT_SETTINGS.compaction, enabled: true };
    const core = await bench.start({ model, context: () => ({ ...DEFAULT_CONTEXT_SETTINGS, compaction }) });
    await seed(core, "c", 1_100);
    const task = await send(core, "c", "question");
    const [first] = model.calls.at(-1)!.request.messages;
    expect(JSON.stringify(first)).toContain("Vieles wurde gefragt.");
    expect(JSON.stringify(model.calls[0]?.request.messages)).toMatch(/\[1\] User: old question 0.*old answer 351/s);
    expect(await eventsOfKind(core, task, "context.compacted")).toMatchObject([{ summarised: 352 }]);
    expect(await core.features.sessions.catalog.read("c")).toMatchObject({ outOfSight: 352, summarised: true });
  });

  test("notes after a summary the messages it does not cover", async () => {
    let isLong = true;
    const model = scriptedModel((request, call) => {
      if (request.system?.startsWith("You summarise") !== true) return `Answer ${call}.`;
      return isLong ? "So far." : "";
    });
    const compaction = { ...DEFAULT_CONTEXT_SETTINGS.compaction, enabled: true };
    const core = await bench.start({ model, context: () => ({ ...DEFAULT_CONTEXT_SETTINGS, compaction }) });
    await seed(core, "c", 1_100);
    await send(core, "c", "question");
    isLong = false;
    await seed(core, "c", 300);
    await send(core, "c", "another");
    const [first] = model.calls.at(-1)!.request.messages;
    expect(JSON.stringify(first)).toMatch(
      /So far\..*\[\d+ messages that followed it of this conversation are not shown/s,
    );
  });

  test("that a rewind leads back to before the step is shown as it was then", async () => {
    const model = scriptedModel((_, call) => `Answer ${call}.`);
    const core = await bench.start({ model });
    await seed(core, "c", 990);
    const kept = await send(core, "c", "kept");
    for (let turn = 0; turn < 6; turn++) await send(core, "c", `gone ${turn}`);
    expect(shownBytes(model.calls.at(-1)!.request)).toMatch(CUT);
    await core.features.sessions.edits.rewind("c", kept);
    await send(core, "c", "anew");
    const shown = shownBytes(model.calls.at(-1)!.request);
    expect(shown).not.toMatch(CUT);
    expect(shown).toContain("old question 0");
    expect(shown).not.toContain("gone");
  });
});
