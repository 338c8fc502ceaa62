import { park } from "@agent-service/plugin-sdk";
import fc from "fast-check";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, countedTool, holdCommit, type StandardCore, textInput } from "../core-bench.ts";
import { DEFAULT_RETENTION, removeExpired } from "../journal/index.ts";
import type { ModelRequest } from "../model/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** What a request shows, one text per message. */
function shown({ messages }: ModelRequest): string[] {
  return messages.map((message) =>
    message.role === "user"
      ? message.content.map((part) => (part.kind === "text" ? part.text : part.kind)).join("")
      : message.text,
  );
}

const SUMMARY = "## Intent\nas before";

/** Answers `re: <message>`; a summary when it is asked for one. */
function recordingModel() {
  const seen: string[][] = [];
  const model = scriptedModel((request) => {
    if (request.tools.length === 0 && request.system?.startsWith("You summarise") === true) return SUMMARY;
    const texts = shown(request);
    seen.push(texts);
    return `re: ${texts.at(-1) ?? ""}`;
  });
  return { model, last: () => seen.at(-1) ?? [] };
}

async function send(core: StandardCore, context: string, text: string): Promise<string> {
  const task = await core.service.start({ class: "operator", context, origin: "chat", input: textInput(text) });
  await task.settled();
  await core.service.runner.idle(1_000);
  return task.id;
}

const turnsOf = async (core: StandardCore, id: string): Promise<string[]> => {
  await core.feed.idle();
  const rows = await core.db.read({
    sql: "SELECT task FROM session_turn JOIN session ON session.no = session WHERE id = ? ORDER BY task",
    args: [id],
  });
  return rows.map(([task]) => String(task));
};

/** A session as it should be: its turns, and what the model is shown after each of them. */
interface Expected {
  readonly id: string;
  turns: { readonly task: string; readonly asked?: string; readonly view: readonly string[] }[];
}

type Step =
  | { readonly kind: "say" | "compact" | "regenerate"; readonly session: number }
  | { readonly kind: "rewind" | "take-back" | "fork"; readonly session: number; readonly turn: number };

const pick = fc.nat({ max: 99 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("say" as const), session: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("compact" as const, "regenerate" as const), session: pick }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("rewind" as const, "take-back" as const, "fork" as const),
      session: pick,
      turn: pick,
    }),
  },
);

const lastView = ({ turns }: Expected): readonly string[] => turns.at(-1)?.view ?? [];

/** The same compaction by hand: the newest six messages stay, and the newest request. */
function compacted(view: readonly string[]): readonly string[] {
  const rest = view[0]?.includes("shown as a summary") === true ? view.slice(1) : view;
  if (rest.length <= 6) return view;
  const summary = `[The ${rest.length - 6} earlier messages of this conversation are shown as a summary; they stay stored. What it leaves out can be fetched again with a tool that reads, or asked for.]\n\n${SUMMARY}`;
  return [summary, ...rest.slice(-6)];
}

async function run(core: StandardCore, lastSeen: () => readonly string[], steps: readonly Step[]): Promise<void> {
  const prefix = crypto.randomUUID();
  const sessions: Expected[] = [{ id: `${prefix}-0`, turns: [] }];
  let count = 0;
  const sendMessage = async (session: Expected): Promise<void> => {
    const text = `m${++count}`;
    const task = await send(core, session.id, text);
    const asked = [...lastView(session), text];
    expect(lastSeen()).toEqual(asked);
    session.turns.push({ task, asked: text, view: [...asked, `re: ${text}`] });
  };
  await sendMessage(sessions[0]!);
  for (const one of steps) {
    const session = sessions[one.session % sessions.length]!;
    const at = "turn" in one && session.turns.length > 0 ? one.turn % session.turns.length : 0;
    const turn = session.turns[at]?.task;
    if (one.kind === "say" || turn === undefined) await sendMessage(session);
    else if (one.kind === "rewind") {
      const removed = session.turns.length - at - 1;
      expect(await core.features.sessions.edits.rewind(session.id, turn)).toBe(removed);
      session.turns = session.turns.slice(0, at + 1);
    } else if (one.kind === "take-back") {
      await core.features.sessions.edits.rewind(session.id, turn, { keep: false });
      session.turns = session.turns.slice(0, at);
    } else if (one.kind === "fork") {
      const id = await core.features.sessions.edits.fork(session.id, { turn });
      sessions.push({ id, turns: session.turns.slice(0, at + 1) });
    } else if (one.kind === "compact") {
      const handle = await core.features.sessions.edits.compact(session.id);
      await handle.settled();
      await core.service.runner.idle(1_000);
      session.turns.push({ task: handle.id, view: compacted(lastView(session)) });
    } else {
      const last = session.turns.findLastIndex(({ asked }) => asked !== undefined);
      const asked = session.turns[last]?.asked;
      if (asked === undefined) {
        await expect(core.features.sessions.edits.regenerate(session.id)).rejects.toMatchObject({ code: "not_found" });
        continue;
      }
      session.turns = session.turns.slice(0, last);
      const handle = await core.features.sessions.edits.regenerate(session.id);
      await handle.settled();
      await core.service.runner.idle(1_000);
      const request = [...lastView(session), asked];
      expect(lastSeen()).toEqual(request);
      session.turns.push({ task: handle.id, asked, view: [...request, `re: ${asked}`] });
    }
  }
  for (const session of sessions) {
    expect(await turnsOf(core, session.id)).toEqual(session.turns.map(({ task }) => task));
    if (session.turns.length > 0) await sendMessage(session);
  }
}

test("after any messages, rewinds, forks and compactions, the model is shown what it was shown after that turn (SE1)", async () => {
  const { model, last } = recordingModel();
  const core = await bench.start({ model });
  const messages: Step[] = Array.from({ length: 4 }, () => ({ kind: "say", session: 0 }));
  const compact = (session: number): Step => ({ kind: "compact", session });
  const to = (kind: "rewind" | "fork", session: number, turn: number): Step => ({ kind, session, turn });
  const examples: [Step[]][] = [
    [[...messages, compact(0), to("rewind", 0, 1)]],
    [[...messages, compact(0), to("fork", 0, 5), to("rewind", 1, 1), { kind: "say", session: 1 }, to("rewind", 0, 4)]],
    [[...messages, to("fork", 0, 4), compact(1), to("fork", 1, 5), to("rewind", 2, 2), to("rewind", 0, 0)]],
    [
      [
        ...messages,
        to("rewind", 0, 2),
        ...messages,
        compact(0),
        to("fork", 0, 7),
        compact(1),
        { kind: "say", session: 1 },
      ],
    ],
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), (steps) => run(core, last, steps)),
    { numRuns: 40, examples },
  );
});

test("a fork shows the results of its turns' tools, and a session that runs or waits is not edited (SE2)", async () => {
  const asks = countedTool("asks", { run: () => park.question("Where?") }).tool;
  const { tool } = countedTool("count");
  const model = scriptedModel([
    [{ call: { name: "count" } }],
    "Counted.",
    "In the fork.",
    [{ call: { name: "asks" } }],
  ]);
  const core = await bench.start({ model, tools: [asks, tool] });
  const first = await send(core, "s", "count");
  const fork = await core.features.sessions.edits.fork("s", { title: "A branch" });
  expect(await core.features.sessions.catalog.read(fork)).toMatchObject({
    title: "A branch",
    turns: 1,
    state: "completed",
  });
  await send(core, fork, "and now?");
  expect(model.calls[2]?.request.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
  expect(model.calls[2]?.request.messages[2]).toMatchObject({ text: "count done" });
  const parked = await send(core, "s", "ask me");
  for (const edit of [
    () => core.features.sessions.edits.rewind("s", first),
    () => core.features.sessions.edits.regenerate("s"),
    () => core.features.sessions.edits.fork("s", { turn: parked }),
  ]) {
    await expect(edit()).rejects.toMatchObject({ code: "context_busy" });
  }
  expect(await turnsOf(core, await core.features.sessions.edits.fork("s"))).toEqual([first]);
  await expect(core.features.sessions.edits.rewind("s", "no-turn")).rejects.toMatchObject({ code: "context_busy" });
  await core.tasks.cancel(parked);
  await expect(core.features.sessions.edits.rewind("s", "no-turn")).rejects.toMatchObject({ code: "not_found" });
  await expect(core.features.sessions.edits.fork("nowhere")).rejects.toMatchObject({ code: "not_found" });
});

test("a fork beside a rewind or a deletion is made of what is there, or refused (SE2)", async () => {
  const [forking, deleting] = [holdCommit("session.fork:before"), holdCommit("session.delete:after")];
  const failpoints = { hit: (name: string) => forking.failpoints.hit(name) ?? deleting.failpoints.hit(name) };
  const core = await bench.start({ model: scriptedModel(() => "Done."), failpoints });
  const { edits, catalog, removal } = core.features.sessions;
  const first = await send(core, "s", "one");
  await send(core, "s", "two");
  const late = edits.fork("s");
  await forking.reached;
  await edits.rewind("s", first);
  forking.release();
  await expect(late).rejects.toMatchObject({ code: "not_found" });
  const removed = removal.remove("s", { retire: true });
  await deleting.reached;
  await expect(edits.fork("s")).rejects.toMatchObject({ code: "overloaded" });
  deleting.release();
  await removed;
  expect((await catalog.list(5)).sessions).toEqual([]);
  expect(await core.db.read({ sql: "SELECT count(*) FROM session_turn", args: [] })).toEqual([[0]]);
});

test("messages that a fork shows do not go with the session they came from, but with the fork", async () => {
  const clock = manualClock();
  const model = scriptedModel(() => "Done.");
  const core = await bench.start({ model, clock });
  await send(core, "s", "one");
  const fork = await core.features.sessions.edits.fork("s");
  await clock.advance(2 * 86_400_000);
  await send(core, fork, "two");
  const keep = { ...DEFAULT_RETENTION, conversationMaxAgeDays: 1, harvest: false };
  const removeSession = (context: string) => core.features.sessions.removal.remove(context, { retire: true });
  const sweep = () => removeExpired({ db: core.db, now: clock.now(), keep, removeSession });
  expect((await sweep()).conversations).toBe(1);
  await send(core, fork, "three");
  expect(model.calls.at(-1)?.request.messages).toHaveLength(5);
  await clock.advance(2 * 86_400_000);
  expect((await sweep()).conversations).toBe(1);
  expect((await core.features.sessions.catalog.list(5)).sessions).toEqual([]);
  expect(await core.db.read({ sql: "SELECT count(*) FROM message", args: [] })).toEqual([[0]]);
});

test("a turn that was taken back stays away when the journal is read again (SE3)", async () => {
  const store = bench.newStore();
  const core1 = await bench.start({ store, model: scriptedModel(() => "Done.") });
  const kept = await send(core1, "s", "stays");
  const gone = await send(core1, "s", "goes");
  await core1.feed.idle();
  const events = core1.bus.follow(undefined, new AbortController().signal);
  expect(await core1.features.sessions.edits.rewind("s", kept)).toBe(1);
  core1.bus.close();
  expect((await Array.fromAsync(events)).flat().map(({ topic }) => topic)).toEqual(["session.changed"]);
  expect(await core1.features.sessions.edits.rewind("s", kept)).toBe(0);
  await bench.crash(core1);
  const core = await bench.start({ store, model: scriptedModel(() => "Done.") });
  await core.feed.catchUp();
  expect(await turnsOf(core, "s")).toEqual([kept]);
  expect((await core.tasks.get(gone))?.view.state).toBe("completed");
  expect((await core.features.sessions.catalog.list(10, { search: "goes" })).sessions).toEqual([]);
});
