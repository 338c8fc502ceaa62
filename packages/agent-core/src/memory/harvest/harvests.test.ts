/** Memories that are extracted from conversations (K14; KM9, KM12). */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { coreBench, textInput } from "../../core-bench.ts";
import { knowledge } from "../../knowledge/index.ts";
import { HARVEST_INSTRUCTIONS, harvestQuestion } from "../../model/index.ts";
import { sessions } from "../../session/index.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { tracing } from "../../tracing/index.ts";
import { memory } from "../index.ts";

const bench = coreBench();
const root = mkdtempSync(join(tmpdir(), "agent-service-harvests-"));
afterEach(() => bench.end());
afterAll(() => {
  bench.remove();
  rmSync(root, { recursive: true, force: true });
});

const MINUTE = 60_000;
const FREE = { input: 0, output: 0 };
type Question = NonNullable<ReturnType<typeof harvestQuestion>>;
type Answers = (question: Question, attempt: number) => string | Error;

const facts = (...all: readonly object[]): string =>
  JSON.stringify({
    summary: "They spoke about ferns.",
    facts: all.map((one) => ({ subject: "ferns", content: "Ferns want shade.", kind: "fact", messages: [1], ...one })),
  });

interface SceneOptions {
  readonly answers?: Answers;
  readonly settings?: { readonly [section: string]: object };
  readonly price?: typeof FREE | null;
  readonly store?: string;
  readonly place?: string;
  readonly conversationMaxAgeDays?: number;
}

let places = 0;

/** An engine with memory, and what its model was asked to extract. */
async function scene({ answers = () => facts({}), settings = {}, price = FREE, ...options }: SceneOptions = {}) {
  const clock = manualClock(Date.parse("2026-07-01"));
  const place = options.place ?? join(root, String(places++));
  mkdirSync(place, { recursive: true });
  const asked: Question[] = [];
  const warnings: string[] = [];
  const model = scriptedModel((request) => {
    if (request.system !== HARVEST_INSTRUCTIONS) return "An answer.";
    const [first] = request.messages;
    const [part] = first?.role === "user" ? first.content : [];
    const question = part?.kind === "text" ? harvestQuestion(part.text) : undefined;
    if (question === undefined) throw new Error("it was asked nothing");
    asked.push(question);
    const answer = answers(question, asked.length);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const core = await bench.start({
    ...{ clock, store: options.store ?? bench.newStore() },
    log: { info() {}, warn: (line) => void warnings.push(line) },
    model: (value) => ({ model, name: value ?? "lead", price: (price ?? undefined) as never }),
    settings: (section) => v.parse(section.schema, settings[section.name] ?? {}),
    retention: { conversationMaxAgeDays: options.conversationMaxAgeDays ?? 0, pruneIntervalHours: 1 },
    features: [
      sessions,
      tracing({
        agent: "a",
        version: "1",
        environment: () => ({ host: undefined, publicKey: undefined, secretKey: undefined }),
      }),
      knowledge({ url: () => `file:${join(place, "knowledge.db")}`, exists: () => true }),
      memory({
        ...{
          folder: () => join(place, "summaries"),
          makeFolder: (path: string) => mkdirSync(path, { recursive: true }),
        },
        ...{ url: () => `file:${join(place, "index.db")}`, exists: () => true, disabled: false },
      }),
    ],
  });
  const { operations } = core.features.knowledge;
  return {
    ...{ core, clock, asked, warnings, place },
    harvests: core.features.memory.harvests,
    async say(context: string, text: string, metadata?: { readonly [key: string]: unknown }) {
      const input = textInput(text, metadata);
      const task = await core.service.start({ class: "operator", context, origin: "chat", input });
      await task.settled();
      await core.feed.idle();
      return task;
    },
    /** Looks for what is due after this time, and resolves when nothing is asked any more. */
    async rest(ms: number) {
      await clock.advance(ms);
      // What looked before the time was over is waited for, and then once more what looks afterwards.
      for (let looks = 0; looks < 3; looks++) {
        await core.features.memory.harvests.harvest("none");
        await clock.advance(MINUTE);
      }
      await core.features.memory.harvests.harvest("none");
    },
    stored: async (domain: string) =>
      (await operations.list({ domain, includeSuperseded: true }, 50)).map(
        ({ subject, content, trust, session, supersededBy }) => ({ subject, content, trust, session, supersededBy }),
      ),
  };
}

describe("a conversation that rests", () => {
  it("gives a summary and facts once, of what was said since", async () => {
    const here = await scene();
    await here.rest(0);
    await here.say("s", "Where do ferns grow?");
    await here.say("s", "And in winter?");
    await here.rest(20 * MINUTE);
    expect(here.asked).toEqual([]);
    await here.rest(30 * MINUTE);
    expect(here.asked).toHaveLength(1);
    expect(here.asked[0]?.messages.map(({ from, text }) => [from, text])).toEqual([
      ["person", "Where do ferns grow?"],
      ["agent", "An answer."],
      ["person", "And in winter?"],
      ["agent", "An answer."],
    ]);
    expect(await here.stored("conversation")).toMatchObject([{ content: "They spoke about ferns.", session: "s" }]);
    expect(await here.stored("fact")).toMatchObject([{ subject: "ferns", trust: "agent", session: "s" }]);
    // What it was shown and answered is not kept a second time.
    expect(await here.core.db.read({ sql: "SELECT 1 FROM task WHERE context LIKE 'harvest:%'", args: [] })).toEqual([]);
    await here.rest(40 * MINUTE);
    await here.say("s", "One more word");
    await here.rest(31 * MINUTE);
    expect(here.asked).toHaveLength(1);
    await here.say("s", "And another");
    await here.rest(31 * MINUTE);
    expect(here.asked[1]?.messages.map(({ text }) => text)).toEqual([
      "One more word",
      "An answer.",
      "And another",
      "An answer.",
    ]);
    expect(here.asked[1]?.known).toEqual([]);
  });

  it.each<[string, SceneOptions]>([
    ["the lead costs something", { price: { input: 1, output: 2 } }],
    ["the lead's price is not known", { price: null }],
    ["it is off", { settings: { knowledge: { harvest_idle_minutes: 0 } } }],
    ["memory is off", { settings: { middleware: { memory: false } } }],
  ])("is left alone where %s", async (_, options) => {
    const here = await scene(options);
    await here.rest(0);
    await here.say("s", "Where do ferns grow?");
    await here.say("s", "And in winter?");
    await here.rest(31 * MINUTE);
    expect(here.asked).toEqual([]);
  });

  it("is asked of the model that is set for it, and without facts where those are off", async () => {
    const here = await scene({
      price: { input: 1, output: 2 },
      settings: { knowledge: { harvest_model: "small", facts: false } },
    });
    await here.rest(0);
    await here.say("s", "Where do ferns grow?");
    await here.say("s", "And in winter?");
    await here.rest(31 * MINUTE);
    expect(here.asked).toHaveLength(1);
    expect([(await here.stored("conversation")).length, await here.stored("fact")]).toEqual([1, []]);
  });

  it("is read without its incognito turns, and a peer's not at all", async () => {
    const here = await scene();
    await here.rest(0);
    await here.say("s", "Where do ferns grow?");
    await here.say("s", "Nothing of this stays.", { incognito: true });
    await here.say("s", "And in winter?");
    const input = textInput("A peer asks.");
    for (const messageId of ["1", "2"])
      await (
        await here.core.service.start({ class: "peer", context: "p", origin: "a2a", input: { ...input, messageId } })
      ).settled();
    await here.rest(31 * MINUTE);
    expect(here.asked).toHaveLength(1);
    // A fork is shown what its conversation was.
    const fork = await here.core.features.sessions.edits.fork("s");
    await here.say(fork, "And in spring?");
    expect(await here.harvests.harvest(fork)).toBe(true);
    expect(here.asked).toHaveLength(2);
    expect(JSON.stringify(here.asked)).not.toContain("Nothing of this stays");
  });
});

describe("what is extracted", () => {
  it("corrects a fact that the model was shown, and is nobody's else when its conversation is forgotten", async () => {
    const here = await scene({
      answers: ({ known: [fact] }) =>
        facts(fact === undefined ? {} : { replaces: fact.id, content: "Ferns want sun.", subject: "x" }),
    });
    await here.say("one", "Ferns want shade.");
    expect(await here.harvests.harvest("one")).toBe(true);
    await here.say("two", "No: ferns want sun.");
    expect(await here.harvests.harvest("two")).toBe(true);
    expect(here.asked[1]?.known).toEqual([{ id: 2, fact: "ferns: Ferns want shade." }]);
    const [newer, older] = await here.stored("fact");
    expect(newer).toMatchObject({ subject: "ferns", content: "Ferns want sun.", session: "two" });
    expect(older?.supersededBy).toBeDefined();
  });

  it("stays where another conversation said it too (K12)", async () => {
    const here = await scene();
    for (const session of ["one", "two"]) {
      await here.say(session, "Ferns want shade.");
      await here.harvests.harvest(session);
    }
    expect(await here.stored("fact")).toMatchObject([{ session: "one" }]);
    await here.core.features.knowledge.forgetting.forget({ kind: "session", session: "one" });
    expect(await here.stored("fact")).toMatchObject([{ session: "two" }]);
    await here.core.features.knowledge.forgetting.forget({ kind: "session", session: "two" });
    expect([await here.stored("fact"), await here.stored("conversation")]).toEqual([[], []]);
  });

  it.each<[string, string]>([
    ["no JSON", "I cannot do that."],
    ["a message that was not shown", facts({ messages: [99] })],
    ["a fact that was not known", facts({ replaces: 99 })],
    ["too long a fact", facts({ content: "x".repeat(301) })],
    ["another kind", facts({ kind: "whim" })],
    ["thirteen facts", facts(...Array.from({ length: 13 }, () => ({})))],
    ["no summary", '{"facts": []}'],
  ])("is asked for once more where the answer is %s", async (_, wrong) => {
    const here = await scene({
      answers: (__, attempt) => (attempt === 1 ? wrong : `Here it is:\n\`\`\`json\n${facts()}\n\`\`\``),
    });
    await here.say("s", "Where do ferns grow?");
    expect(await here.harvests.harvest("s")).toBe(true);
    expect(here.asked).toHaveLength(2);
    expect([(await here.stored("conversation")).length, await here.stored("fact")]).toEqual([1, []]);
  });

  it("fails where it cannot be read twice, and is tried again three times at most", async () => {
    const here = await scene({ answers: (_, attempt) => (attempt > 8 ? facts() : "no") });
    await here.rest(0);
    await here.say("s", "Where do ferns grow?");
    await here.say("s", "And in winter?");
    for (let i = 0; i < 5; i++) await here.rest(31 * MINUTE);
    expect(here.asked).toHaveLength(6);
    await expect(here.harvests.harvest("s")).rejects.toMatchObject({ code: "harvest_failed" });
    expect(await here.harvests.harvest("s")).toBe(true);
    expect(await here.harvests.harvest("s")).toBe(false);
  });
});

describe("a conversation whose age has come", () => {
  it("is removed behind its harvest, and stays where that fails (KM9)", async () => {
    let fails = true;
    const here = await scene({
      answers: () => (fails ? "no" : facts()),
      conversationMaxAgeDays: 1,
      settings: { knowledge: { harvest_idle_minutes: 0 } },
    });
    const listed = async () => (await here.core.features.sessions.catalog.list(10)).sessions.map(({ id }) => id);
    await here.say("old", "Where do ferns grow?");
    await here.rest(25 * 60 * MINUTE);
    await here.say("new", "hello");
    for (let i = 0; i < 4; i++) await here.rest(60 * MINUTE);
    expect([await listed(), here.asked.length]).toEqual([["new", "old"], 6]);
    expect(here.warnings).toContainEqual(expect.stringContaining("stay past their age"));
    fails = false;
    expect(await here.harvests.harvest("old")).toBe(true);
    expect(await listed()).toEqual(["new"]);
    expect(await here.stored("conversation")).toHaveLength(1);
  });

  it("is removed without one where memory is off", async () => {
    const here = await scene({ conversationMaxAgeDays: 1, settings: { middleware: { memory: false } } });
    await here.say("old", "Where do ferns grow?");
    await here.rest(25 * 60 * MINUTE);
    // It is looked at each hour, and a look that began before the age had come finds nothing.
    await expect
      .poll(async () => {
        await here.rest(60 * MINUTE);
        return (await here.core.features.sessions.catalog.list(10)).sessions;
      })
      .toEqual([]);
    expect(here.asked).toEqual([]);
  });
});

it("is taken up by the next process, which asks nothing twice and stores once (KM12)", async () => {
  const store = bench.newStore();
  const place = join(root, "killed");
  const first = await scene({ store, place });
  await first.say("s", "Where do ferns grow?");
  await first.core.features.memory.summaries.settled();
  // Its answer is there, and nothing of it is stored yet.
  const { db } = first.core;
  const commit = db.commit.bind(db);
  let isKilled = false;
  const isNext = ({ label }: { readonly label: string }): boolean =>
    label === "memory.harvest" && first.asked.length > 0;
  Object.assign(db, {
    commit(command: never) {
      isKilled ||= isNext(command);
      return isKilled ? new Promise(() => {}) : commit(command);
    },
  });
  void first.harvests.harvest("s").catch(() => {});
  await expect.poll(() => isKilled).toBe(true);
  await first.core.features.knowledge.close();
  await first.core.features.memory.summaries.close();
  await bench.crash(first.core);
  const next = await scene({ store, place });
  expect(await next.harvests.harvest("s")).toBe(true);
  expect([next.asked.length, (await next.stored("conversation")).length, (await next.stored("fact")).length]).toEqual([
    0, 1, 1,
  ]);
});
