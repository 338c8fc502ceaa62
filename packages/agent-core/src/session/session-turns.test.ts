import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, countedTool, planOf, type StandardCore, textInput } from "../core-bench.ts";
import { DEFAULT_RETENTION, removeExpired } from "../journal/index.ts";
import { ModelError } from "../model/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { sessionMarkdown } from "./session-markdown.ts";
import { UNFINISHED_TEXTS } from "./turn-statements.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const SECRET = "the-operators-own-secret";

async function send(core: StandardCore, text: string, context = "s") {
  const task = await core.service.start({ class: "operator", context, origin: "chat", input: textInput(text) });
  await task.settled();
  return task;
}

async function markdown(core: StandardCore): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of sessionMarkdown(core.features.sessions.catalog, "s")) pieces.push(piece);
  return pieces.join("").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}

async function started(): Promise<StandardCore> {
  const asks = countedTool("asks", {
    run: () => park.question("Which city?"),
    present: { doing: `Asking with ${SECRET}`, done: `Asked with ${SECRET}: {result}` },
  }).tool;
  const model = scriptedModel([
    [{ call: { name: "asks" } }, { usage: { input: 40, output: 4 } }],
    [{ say: `Booked in Oslo, by ${SECRET}.` }, { usage: { input: 50, output: 3 } }],
    [{ fail: new ModelError("upstream", "the provider fell over") }],
    "Done.",
  ]);
  const redactor = createRedactor({ secrets: () => [SECRET] });
  return bench.start({ model, tools: [asks], redactor });
}

test("turns hold messages, questions and answers, newest first, without secrets (S5)", async () => {
  const core = await started();
  const first = await send(core, "Book a table");
  expect((await core.features.sessions.catalog.turns("s", { limit: 5 })).turns[0]).toMatchObject({
    state: "parked",
    messages: [
      { from: "user", text: "Book a table" },
      { from: "agent", text: "Which city?" },
    ],
    answer: "",
    durationMs: undefined,
    usage: { input: 40, output: 4 },
    contextTokens: 40,
  });
  await core.service.answer(first.id, { class: "operator", input: textInput("Oslo") });
  await first.settled();
  const second = await send(core, "And again");
  const { turns, next } = await core.features.sessions.catalog.turns("s", { limit: 5 });
  expect([turns.map(({ task }) => task), next]).toEqual([[second.id, first.id], undefined]);
  expect(turns[0]).toMatchObject({
    state: "failed",
    note: second.view.failure?.message,
    failureCode: "model_upstream",
    answer: "",
  });
  expect(turns[1]).toMatchObject({
    state: "completed",
    answer: "Booked in Oslo, by ***.",
    toolCalls: [{ id: expect.any(String), name: "asks", outcome: "ok", args: "{}", title: "Asked with ***: Oslo" }],
    usage: { input: 90, output: 7 },
    contextTokens: 50,
    truncated: false,
  });
  expect(turns[1]?.messages.map(({ text }) => text)).toEqual(["Book a table", "Which city?", "Oslo"]);
});

test("a turn tells whether its answer ended at a limit of its length", async () => {
  const core = await bench.start({ model: scriptedModel([[{ say: "Half of" }, { finish: "length" }], "Whole."]) });
  await send(core, "Tell me all");
  await send(core, "Go on");
  const { turns } = await core.features.sessions.catalog.turns("s", { limit: 5 });
  expect(turns.map(({ cut, answer }) => [cut, answer])).toEqual([
    [false, "Whole."],
    [true, "Half of"],
  ]);
});

test("turns hold the model's reasoning before and between calls, without secrets, until its pieces are removed (R12)", async () => {
  const { tool } = countedTool("looks", { run: () => "seen" });
  const model = scriptedModel([
    [{ think: "First " }, { think: "I look." }, { call: { name: "looks" } }],
    [
      { think: `It says ${SECRET.slice(0, 9)}` },
      { think: `${SECRET.slice(9)}, and more: ${"x".repeat(9_000)}` },
      { say: "Seen." },
    ],
    "Plain.",
  ]);
  const core = await bench.start({ model, tools: [tool], redactor: createRedactor({ secrets: () => [SECRET] }) });
  const { id } = await send(core, "Look");
  await send(core, "Hello");
  const [plain, looked] = (await core.features.sessions.catalog.turns("s", { limit: 5 })).turns;
  expect(plain?.thoughts).toEqual([]);
  expect(looked?.thoughts.map(({ callsBefore, truncated }) => [callsBefore, truncated])).toEqual([
    [0, false],
    [1, true],
  ]);
  expect(looked?.thoughts.map(({ text }) => text.slice(0, 21))).toEqual(["First I look.", "It says ***, and more"]);
  const gone = { sql: "DELETE FROM event WHERE task = ? AND kind = 'reasoning.delta'", args: [id] };
  await core.db.commit({ label: "test", statements: [gone] });
  expect((await core.features.sessions.catalog.turns("s", { limit: 5 })).turns[1]).toMatchObject({
    answer: "Seen.",
    thoughts: [],
  });
});

test("a turn that was stopped holds the text it had streamed", async () => {
  const model = scriptedModel([
    [{ say: "No, " }, { say: "wait." }, { call: { name: "looks" } }],
    [{ say: "The first " }, { say: `half of ${SECRET}` }, { hang: true }],
  ]);
  const { tool } = countedTool("looks", { run: () => "seen" });
  const core = await bench.start({ model, tools: [tool], redactor: createRedactor({ secrets: () => [SECRET] }) });
  const task = await core.service.start({ class: "operator", context: "s", origin: "chat", input: textInput("Look") });
  let text = "";
  for await (const page of task.follow(0, new AbortController().signal)) {
    for (const { event } of page) if (event.kind === "text.delta") text += event.text;
    if (text.endsWith(SECRET)) break;
  }
  await core.service.cancel(task.id);
  const [turn] = (await core.features.sessions.catalog.turns("s", { limit: 5 })).turns;
  expect(turn).toMatchObject({ state: "canceled", answer: "The first half of ***", truncated: false });
});

test("pages follow each other from either end", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  const sent: string[] = [];
  for (let i = 0; i < 5; i++) sent.push((await send(core, `message ${i}`)).id);
  const all = async (first: "newest" | "oldest"): Promise<string[]> => {
    const tasks: string[] = [];
    let after: string | undefined;
    do {
      const page = await core.features.sessions.catalog.turns("s", { limit: 2, after, first });
      tasks.push(...page.turns.map(({ task }) => task));
      after = page.next;
    } while (after !== undefined);
    return tasks;
  };
  expect(await all("oldest")).toEqual(sent);
  expect(await all("newest")).toEqual(sent.toReversed());
  await expect(core.features.sessions.catalog.turns("other", { limit: 2 })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a turn too long to be included whole is marked as truncated, and a page is bounded by its bytes", async () => {
  const core = await bench.start({ model: scriptedModel(() => "y".repeat(300_000)) });
  const large = [{ kind: "text", text: "x".repeat(100_000) }] as const;
  const image = { kind: "file", mediaType: "image/png", bytes: "AAAA".repeat(50_000) } as const;
  for (const parts of [large, [{ kind: "text", text: "what is this?" } as const, image]]) {
    const input = { messageId: "m", parts };
    await (await core.service.start({ class: "operator", context: "s", origin: "a2a", input })).settled();
  }
  const { turns } = await core.features.sessions.catalog.turns("s", { limit: 5 });
  const image64 = expect.objectContaining({ name: undefined, mediaType: "image/png" });
  expect(turns.map(({ messages }) => [messages[0]?.text.slice(0, 20), messages[0]?.files])).toEqual([
    ["what is this?", [image64]],
    ["x".repeat(20), []],
  ]);
  expect(turns.map(({ truncated }) => truncated)).toEqual([true, true]);
  expect(turns.map(({ messages, answer }) => [messages[0]!.text.length, answer.length])).toEqual([
    [13, 65_536],
    [65_536, 65_536],
  ]);
});

test("the streamed text of a stopped turn is read once, not for each piece", async () => {
  const core = await bench.start({ model: scriptedModel(() => "") });
  const steps = await planOf(core, UNFINISHED_TEXTS.sql);
  expect(steps.filter((step) => / e /.test(step))).toEqual([expect.stringMatching(/\(task=\? AND seq>\?\)$/)]);
});

test("a turn of more parts than are included is marked as truncated", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Seen.") });
  const parts = Array.from({ length: 40 }, () => ({ kind: "text", text: "x".repeat(2_000) }) as const);
  await (
    await core.service.start({ class: "operator", context: "s", origin: "a2a", input: { messageId: "m", parts } })
  ).settled();
  const { turns } = await core.features.sessions.catalog.turns("s", { limit: 5 });
  expect(turns.map(({ messages, truncated }) => [messages[0]?.text.split("\n").length, truncated])).toEqual([
    [32, true],
  ]);
});

test("files appear by their names, however large, and cut no message", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Seen.") });
  const large = { kind: "file", name: "a.png", mediaType: "image/png", bytes: "AAAA".repeat(50_000) } as const;
  const small = { kind: "file", name: "b.txt", mediaType: "text/plain", bytes: "AAAA" } as const;
  for (const file of [large, small]) {
    const input = { messageId: "m", parts: [{ kind: "text", text: "what is this?" } as const, file] };
    await (await core.service.start({ class: "operator", context: "s", origin: "a2a", input })).settled();
  }
  const { turns } = await core.features.sessions.catalog.turns("s", { limit: 5, first: "oldest" });
  expect(turns.map(({ truncated, messages }) => [truncated, messages])).toMatchObject([
    [false, [{ text: "what is this?", files: [{ name: "a.png", mediaType: "image/png" }] }]],
    [false, [{ text: "what is this?", files: [{ name: "b.txt", mediaType: "text/plain" }] }]],
  ]);
  expect(await markdown(core)).toContain("what is this?\n- File `a.png`, image/png\n");
});

test("a text is found in messages and answers of any turn, without the marks of Markdown, and no secret is", async () => {
  const core = await bench.start({
    model: scriptedModel([
      `The **Har**bour of ${SECRET}: [harbour](https://x.test/harbour).`,
      "Nothing.",
      "A HARBOUR.",
    ]),
    redactor: createRedactor({ secrets: () => [SECRET] }),
  });
  const first = await send(core, "Which harbour?");
  await send(core, "And ships?");
  const third = await send(core, "harbour  dues of the caf\u00e9, cafe\u0301");
  const { catalog } = core.features.sessions;
  expect(await catalog.find("s", "harbour")).toEqual({
    matches: [
      { task: third.id, count: 2 },
      { task: first.id, count: 3 },
    ],
    next: undefined,
  });
  expect((await catalog.find("s", "Harbour Dues")).matches).toEqual([{ task: third.id, count: 1 }]);
  for (const wanted of ["CAF\u00e9", "cafe\u0301"]) {
    expect((await catalog.find("s", wanted)).matches).toEqual([{ task: third.id, count: 2 }]);
  }
  expect((await catalog.find("s", "cafe")).matches).toEqual([]);
  expect((await catalog.find("s", SECRET)).matches).toEqual([]);
  expect((await catalog.find("s", "harbour", third.id)).matches).toEqual([{ task: first.id, count: 3 }]);
  await expect(catalog.find("other", "harbour")).rejects.toMatchObject({ code: "not_found" });
});

test("a file is read back as it was attached, under the id of its message and in its own session alone", async () => {
  const secret = Buffer.from(`key: ${SECRET}`).toString("base64");
  const core = await bench.start({
    model: scriptedModel(() => "Seen."),
    redactor: createRedactor({ secrets: () => [SECRET] }),
  });
  const parts = [
    { kind: "text", text: "look" },
    { kind: "file", name: "a.png", mediaType: "image/png", bytes: "AAAA".repeat(50_000) },
    { kind: "file", name: "b.txt", mediaType: "text/plain", bytes: secret },
    { kind: "file", name: "c.png", mediaType: "image/png", bytes: secret },
  ] as const;
  const input = { messageId: "m", parts };
  const task = await core.service.start({ class: "operator", context: "s", origin: "a2a", input });
  await task.settled();
  await send(core, "elsewhere", "other");
  const { catalog } = core.features.sessions;
  const [turn] = (await catalog.turns("s", { limit: 1 })).turns;
  const files = turn?.messages[0]?.files ?? [];
  expect(files.map(({ size }) => size)).toEqual([150_000, ...[1, 2].map(() => Buffer.from(secret).length * 0.75)]);
  const [picture, text, feigned] = await Promise.all(
    files.map(({ id = "" }) => catalog.file({ session: "s", task: task.id, file: id })),
  );
  expect([picture?.mediaType, picture?.bytes.length]).toEqual(["image/png", 150_000]);
  for (const file of [text, feigned]) expect(Buffer.from(file?.bytes ?? []).toString()).toBe("key: ***");
  const id = files[0]?.id ?? "";
  for (const place of [
    { session: "other", task: task.id, file: id },
    { session: "s", task: task.id, file: id.replace(/\d+$/, "0") },
    { session: "s", task: task.id, file: "999.1" },
    { session: "s", task: task.id, file: "1.$" },
  ]) {
    await expect(catalog.file(place)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a turn whose journal was removed is read from the conversation", async () => {
  const core = await started();
  const { id } = await send(core, "And again");
  await core.service.answer(id, { class: "operator", input: textInput("Oslo") });
  await (await core.service.get(id))!.settled();
  await core.feed.idle();
  const gone = ["event", "task"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE ${table === "task" ? "id" : "task"} = ?`,
    args: [id],
  }));
  await core.db.commit({ label: "test", statements: gone });
  const [turn] = (await core.features.sessions.catalog.turns("s", { limit: 5 })).turns;
  expect(turn).toMatchObject({ task: id, state: "completed", answer: "Booked in Oslo, by ***." });
  expect(turn?.messages.map(({ text }) => text)).toEqual(["And again"]);
});

test("an export is a document with every turn, oldest first", async () => {
  const core = await started();
  const first = await send(core, "Book a\ntable");
  await core.service.answer(first.id, { class: "operator", input: textInput("Oslo") });
  await first.settled();
  await send(core, "And again");
  const text = (await markdown(core)).replaceAll(/\d+ ms/g, "<ms>").replaceAll(/task \S+/g, "task <id>*");
  expect(text).toMatch(/^# Book a table Oslo\n\n- Session: `s`\n- From: <time>\n- To: <time>\n- Turns: 2\n/);
  expect(text).toContain("## User\n\n*<time>*\n\nBook a\ntable\n");
  expect(text).toContain("## Agent asks\n\n*<time>*\n\nWhich city?\n");
  expect(text).toContain("- Tool `asks`: ok, <ms>\n");
  expect(text).toContain("## Agent\n\n*<time>*\n\nBooked in Oslo, by ***.\n\n*completed · scripted · ");
  expect(text.indexOf("And again")).toBeGreaterThan(text.indexOf("Booked in Oslo"));
  expect(text).toMatch(/> the provider fell over\n\n\*failed · /);
});

test("an export holds all messages and answers of turns whose steps were removed (R14)", async () => {
  const look = countedTool("look", { effect: "pure" }).tool;
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "It is blue." : [{ call: { name: "look" } }],
  );
  const core = await bench.start({ model, tools: [look] });
  for (const text of ["What colour?", "And now?"]) await send(core, text);
  const before = await markdown(core);
  const removeSession = (): Promise<void> => Promise.reject(new Error("no conversation is old enough"));
  const keep = { ...DEFAULT_RETENTION, keepPerThread: 1 };
  await removeExpired({ db: core.db, now: Date.now() + 31 * 86_400_000, keep, removeSession });
  expect(await markdown(core)).toBe(before.replace(/- Tool `look`: ok, \d+ ms\n\n/, ""));
});
