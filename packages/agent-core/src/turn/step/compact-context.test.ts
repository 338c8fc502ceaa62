import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type ContextSettings, DEFAULT_CONTEXT_SETTINGS } from "../../context/index.ts";
import { answerText, coreBench, countedTool, eventsOf, eventsOfKind } from "../../core-bench.ts";
import { generalTools } from "../../general-tools/index.ts";
import { ModelError, type ModelRequest } from "../../model/index.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const context = (): ContextSettings => ({
  ...DEFAULT_CONTEXT_SETTINGS,
  compaction: { enabled: true, trigger: { kind: "messages", value: 16 }, keepMessages: 4, model: "" },
});

const SUMMARY = "## Intent\nCount.\n## Open steps\nNone.";
const isSummary = ({ system }: ModelRequest): boolean => system?.startsWith("You summarise") === true;
const read = (n: number) => [{ call: { name: "read", args: { n } } }, { usage: { input: 10, output: 1 } }];

/** Counts on until `rounds` tool rounds are over; summaries are answered with `summary`. */
function counting(rounds: number, summary: string | { readonly fail: unknown }) {
  let n = 0;
  return scriptedModel((request) => {
    if (isSummary(request))
      return [typeof summary === "string" ? { say: summary } : summary, { usage: { input: 5, output: 5 } }];
    n++;
    return n % (rounds + 1) === 0 ? `Done ${n}.` : read(n);
  });
}

function roles(request: ModelRequest | undefined): string {
  return (request?.messages ?? []).map(({ role }) => role[0]).join("");
}

const tool = () => countedTool("read", { effect: "pure", run: (input) => `result ${JSON.stringify(input)}` }).tool;

describe("compaction (B57 `compaction`)", () => {
  test("replaces the older part by a structured summary, and keeps calls with their results (EN7)", async () => {
    const model = counting(10, SUMMARY);
    const core = await bench.start({ model, tools: [tool()], context });
    const task = await core.tasks.start({ text: "count", context: "c" });
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(answerText(task)).toBe("Done 11.");
    const asked = model.calls.map((call) => call.request);
    const at = asked.findIndex(isSummary);
    expect(asked[at]).toMatchObject({ tools: [], settings: { maxTokens: 4_096 } });
    expect(JSON.stringify(asked[at]?.messages)).toContain("User: count");
    // Summary, the request, the newest pairs.
    expect(roles(asked[at + 1])).toBe("uuatat");
    expect(JSON.stringify(asked[at + 1]?.messages[0])).toMatch(/earlier messages.*they stay stored.*## Intent/s);
    expect(asked[at + 1]?.messages.slice(2)).toEqual(
      asked[at - 1]?.messages.slice(-2).concat(asked[at + 1]!.messages.slice(-2)),
    );
    expect(await eventsOfKind(core, task.id, "context.compacted")).toEqual([
      { kind: "context.compacted", summarised: expect.any(Number), kept: 3, chars: SUMMARY.length },
    ]);
    const [usage, kinds] = [task.view.usage, (await eventsOf(core, task.id)).map(({ event }) => event.kind)];
    expect(usage).toMatchObject({ input: 105, output: 15 });
    expect(kinds.filter((kind) => kind === "model.started")).toHaveLength(12);
    const rows = await core.db.read({ sql: "SELECT count(*) FROM message WHERE kind <> 'compaction'", args: [] });
    expect(Number(rows[0]?.[0])).toBe(12);
  });

  test("what is shown stays the same bytes in later turns and after a restart", async () => {
    const store = bench.newStore();
    const model = counting(10, SUMMARY);
    const core = await bench.start({ store, model, tools: [tool()], context });
    await (await core.tasks.start({ text: "count", context: "c" })).settled();
    const last = model.calls.at(-1)!.request.messages;
    await bench.crash(core);
    const next = scriptedModel(["Hello."]);
    const again = await bench.start({ store, model: next, tools: [tool()], context });
    await (await again.tasks.start({ text: "hi", context: "c" })).settled();
    const shown = next.calls[0]!.request.messages;
    expect(shown.slice(0, last.length)).toEqual(last);
    expect(shown.slice(last.length).map(({ role }) => role)).toEqual(["assistant", "user"]);
  });

  test.each([
    ["a failing model", { fail: new ModelError("upstream", "down") }],
    ["an empty answer", " \n"],
  ])("%s leaves the conversation as it was, and is not asked again in this turn", async (_, summary) => {
    const model = counting(10, summary);
    const core = await bench.start({ model, tools: [tool()], context });
    const task = await core.tasks.start({ text: "count", context: "c" });
    expect(await task.settled()).toMatchObject({ state: "completed" });
    const asked = model.calls.map((call) => call.request);
    expect(asked.filter(isSummary)).toHaveLength(1);
    expect(roles(asked.at(-1))).toBe(`u${"at".repeat(10)}`);
    const rows = await core.db.read({ sql: "SELECT count(*) FROM message WHERE kind = 'compaction'", args: [] });
    expect(Number(rows[0]?.[0])).toBe(0);
    expect(await eventsOfKind(core, task.id, "context.compacted")).toEqual([]);
  });

  test("a compaction builds on the one before it, and rounds are counted on", async () => {
    const model = counting(30, SUMMARY);
    const core = await bench.start({ model, tools: [tool()], context, limits: { roundHardCap: 25 } });
    const task = await core.tasks.start({ text: "count", context: "c" });
    expect(await task.settled()).toMatchObject({ state: "completed", note: expect.stringContaining("25 tool rounds") });
    const summaries = model.calls.map((call) => call.request).filter(isSummary);
    expect(summaries.length).toBeGreaterThan(2);
    expect(JSON.stringify(summaries[1]?.messages)).toContain("What came before");
    for (const { request } of model.calls) expect(request.messages.length).toBeLessThan(20);
  });

  test("before a turn's first call too, by another model where one is named", async () => {
    const writer = scriptedModel([SUMMARY]);
    const model = scriptedModel((_, count) => `Answer ${count}.`);
    const off = { ...context(), compaction: { ...context().compaction, model: "writer" } };
    const core = await bench.start({
      model: (value) => (value === "writer" ? { model: writer, name: "w" } : { model, name: "lead" }),
      context: () => off,
    });
    for (let i = 1; i <= 9; i++) await (await core.tasks.start({ text: `question ${i}`, context: "c" })).settled();
    expect(writer.calls).toHaveLength(1);
    expect(JSON.stringify(writer.calls[0]?.request.messages)).toMatch(/question 1.*question 6/s);
    expect(roles(model.calls.at(-1)?.request)).toBe("uauau");
    expect(JSON.stringify(model.calls.at(-1)?.request.messages.at(-1))).toContain("question 9");
  });

  test("a model that finds the conversation too long gets a summary, and where none comes only the newest (R5)", async () => {
    const later = {
      ...context(),
      compaction: { ...context().compaction, trigger: { kind: "messages", value: 500 } as const },
    };
    let summary: string | undefined = SUMMARY;
    let overflow = false;
    const model = scriptedModel((request, count) => {
      if (isSummary(request)) return summary ?? [{ fail: new ModelError("context_overflow", "too long") }];
      if (!overflow) return `Answer ${count}.`;
      overflow = false;
      return [{ fail: new ModelError("context_overflow", "too long") }];
    });
    const core = await bench.start({ model, context: () => later });
    const send = async (text: string) => (await core.tasks.start({ text, context: "c" })).settled();
    for (let i = 1; i <= 9; i++) await send(`question ${i}`);
    overflow = true;
    expect(await send("summarised")).toMatchObject({ state: "completed", steps: 3 });
    expect(roles(model.calls.at(-1)?.request)).toBe("uauau");
    expect(JSON.stringify(model.calls.at(-1)?.request.messages[0])).toContain("## Intent");
    [overflow, summary] = [true, undefined];
    expect(await send("cut")).toMatchObject({ state: "completed" });
    expect(JSON.stringify(model.calls.at(-1)?.request.messages.at(-1))).toContain("cut");
  });

  test("a crash while the summary is written loses nothing: the turn continues and compacts anew", async () => {
    const store = bench.newStore();
    let n = 0;
    const reached = Promise.withResolvers<void>();
    const hanging = scriptedModel((request) => {
      if (!isSummary(request)) return read(++n);
      reached.resolve();
      return [{ hang: true }];
    });
    const core = await bench.start({ store, model: hanging, tools: [tool()], context });
    const task = await core.tasks.start({ text: "count", context: "c" });
    await reached.promise;
    await bench.crash(core);
    const model = scriptedModel((request) => (isSummary(request) ? SUMMARY : "Done."));
    const again = await bench.start({ store, model, tools: [tool()], context, onRestart: "resume" });
    const resumed = await again.tasks.get(task.id);
    expect(await resumed?.settled()).toMatchObject({ state: "completed" });
    expect(model.calls.map(({ request }) => isSummary(request))).toEqual([true, false]);
    expect(roles(model.calls[1]?.request)).toBe("uuatat");
    expect(await eventsOfKind(again, task.id, "context.compacted")).toHaveLength(1);
    const calls = await again.db.read({ sql: "SELECT count(*), count(DISTINCT digest) FROM call", args: [] });
    expect(calls[0]?.map(Number)).toEqual([n, n]);
  });

  test("a turn that waited for a person while another one compacted continues with its own calls", async () => {
    const model = scriptedModel((request, count) => {
      if (isSummary(request)) return SUMMARY;
      if (count === 1) return [{ call: { name: "ask_human", args: { question: "Which?" } } }];
      return `Answer ${count}.`;
    });
    const core = await bench.start({ model, tools: generalTools(), context });
    const parked = await core.tasks.start({ text: "ask me", context: "c" });
    await parked.settled();
    for (let i = 1; i <= 12; i++) await (await core.tasks.start({ text: `question ${i}`, context: "c" })).settled();
    expect(model.calls.filter(({ request }) => isSummary(request))).not.toHaveLength(0);
    await core.tasks.answer(parked.id, { answer: "that one" });
    await parked.settled();
    const shown = model.calls.at(-1)!.request.messages;
    expect(shown.slice(-2)).toMatchObject([
      { role: "assistant", toolCalls: [{ name: "ask_human" }] },
      { role: "tool", text: expect.stringContaining("that one") },
    ]);
    expect(JSON.stringify(shown[0])).toContain("## Intent");
  });
});
