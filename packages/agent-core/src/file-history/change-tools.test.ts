/** The tools that change files, through the engine: real files, real turns (F8, F9; FC1, FC2). */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, eventsOfKind, holdCommit } from "../core-bench.ts";
import type { Failpoints } from "../database/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { filesystem } from "../filesystem/index.ts";
import { sessions } from "../session/index.ts";
import type { ScriptedTurn } from "../testing/index.ts";
import { fileHistory } from "./index.ts";

const bench = coreBench();
let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "edits-")));
  mkdirSync(join(base, "app"));
});
afterEach(async () => {
  await bench.end();
  rmSync(base, { recursive: true, force: true });
});
afterAll(() => bench.remove());

const file = (path: string): string => join(base, "app", path);
const read = (path: string): string => readFileSync(file(path), "utf8");

function start(calls: ScriptedTurn, more: { store?: string; failpoints?: Failpoints; noDelete?: boolean } = {}) {
  const { noDelete = false, ...options } = more;
  const registry = new ProjectRegistry([projectAt({ name: "app", path: join(base, "app"), noDelete })]);
  const places = new ProtectedPlaces([join(base, "history")]);
  const fence = new Fence({ projects: () => registry, places: () => places });
  const features = [sessions, filesystem({ fence }), fileHistory({ folder: join(base, "history") })] as const;
  return bench.start({ model: caller(calls), features, onRestart: "resume", ...options });
}

/** What the model reads of these calls, made at once in one turn. */
async function results(calls: ScriptedTurn): Promise<readonly string[]> {
  const core = await start(calls);
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  return answerText(task)!.split(" | ");
}

test("an edit replaces to the letter: line ends, BOM, last line and mode stay (F7, F8)", async () => {
  writeFileSync(file("a.ts"), "\uFEFFone\r\ntwo\r\nthree");
  chmodSync(file("a.ts"), 0o755);
  writeFileSync(file("b.ts"), "a a\n");
  const said = await results([
    call("edit_file", { path: "a.ts", old_string: "one\ntwo", new_string: "1\n2\n2½" }),
    call("edit_file", { file_path: "b.ts", oldString: "a", newString: "$& b", replaceAll: true }),
  ]);
  expect(said).toEqual(["Changed a.ts (+3 −2).", "Changed b.ts (+1 −1)."]);
  expect([read("a.ts"), read("b.ts")]).toEqual(["\uFEFF1\r\n2\r\n2½\r\nthree", "$& b $& b\n"]);
  expect(statSync(file("a.ts")).mode & 0o777).toBe(0o755);
});

test("an edit that does not fit exactly once is refused, with what helps (F8)", async () => {
  writeFileSync(file("a.ts"), "const a = compute(1);\nx\nx\nconst b = compute(22);\n");
  writeFileSync(file("b.bin"), "\0");
  const edit = (path: string, old_string: string, new_string = "y") =>
    call("edit_file", { path, old_string, new_string });
  const said = await results([
    edit("a.ts", "const a = compute(2);"),
    edit("a.ts", "x\n"),
    edit("a.ts", "x", "x"),
    edit("b.bin", "x"),
    edit("A.ts", "x"),
    edit(".env", "x"),
  ]);
  expect(said).toEqual([
    'Error: "a.ts": old_string does not occur. The nearest lines:\n1\tconst a = compute(1);\n4\tconst b = compute(22);',
    'Error: "a.ts": old_string occurs 2 times (lines 2, 3): give more of what is around it, or replace_all',
    'Error: "a.ts": old_string and new_string are the same',
    'Error: "b.bin": it is no text',
    expect.stringMatching(/^Error: "A\.ts" in project app: it does not exist/),
    'Error: ".env" in project app: names like this hold secrets',
  ]);
  expect(await results([call("edit_file", { path: "a.ts", old_string: "", new_string: "y" })])).toEqual([
    expect.stringContaining("write_file makes a file"),
  ]);
});

test("a file that is there is overwritten only by a conversation that has read it as it is (F8)", async () => {
  writeFileSync(file("a.txt"), "theirs");
  const core = await start([call("write_file", { path: "a.txt", content: "mine\n" })]);
  const write = async (context: string): Promise<string> => {
    const task = await core.tasks.start({ text: "go", context });
    await task.settled();
    return answerText(task)!;
  };
  const { seen } = core.features.filesystem;
  const look = async (): Promise<void> => {
    await using located = await core.features.filesystem.fence.open({ path: "a.txt", for: "read" });
    seen.note("c", located, located.stat!);
  };
  expect(await write("c")).toContain("read it first");
  await look();
  expect(await write("other")).toContain("read it first");
  writeFileSync(file("a.txt"), "changed since");
  expect(await write("c")).toContain("read it first");
  await look();
  expect([await write("c"), read("a.txt")]).toEqual(["Changed a.txt (+1 −1).", "mine\n"]);
  expect(await write("c")).toBe("a.txt is like that already.");
  const made = await core.features["file-history"].changes.list({ session: "c" }, 10);
  expect(made).toMatchObject([{ path: "a.txt", operation: "modify", state: "done" }]);
});

test("a deletion is always asked about, with whether it can be undone, and one that cannot be made is not (F9)", async () => {
  writeFileSync(file("a.txt"), "a");
  const core = await start([
    call("delete_file", { path: "a.txt", project: "app" }),
    call("delete_file", { path: "none.txt" }),
  ]);
  const task = await core.tasks.start({ text: "go", context: "c" });
  await expect.poll(() => task.view.state).toBe("parked");
  expect(task.view.prompts).toMatchObject([
    {
      payload: {
        title: "Delete a.txt?",
        detail: "In the project app. What it holds is kept: the deletion can be undone.",
        args: { path: "a.txt", project: "app" },
      },
    },
  ]);
  expect(task.view.prompts[0]!.payload).not.toHaveProperty("grantable");
  await core.tasks.answer(task.id, { answer: "approve" });
  await task.settled();
  expect(answerText(task)).toBe('Deleted a.txt. | Error: "none.txt" in project app: it does not exist');
  expect(readdirSync(join(base, "app"))).toEqual([]);
  const { changes } = core.features["file-history"];
  expect((await changes.undo({ tasks: [task.id] }, { preview: false })).files).toMatchObject([{ result: "restored" }]);
  expect(read("a.txt")).toBe("a");
});

test("a deletion that a project forbids is refused without asking (F9)", async () => {
  writeFileSync(file("a.txt"), "a");
  const core = await start([call("delete_file", { path: "a.txt" })], { noDelete: true });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect([answerText(task), read("a.txt")]).toEqual([
    expect.stringContaining("nothing of project app may be deleted"),
    "a",
  ]);
});

test("an edit costs one commit more than a call of another tool with an effect (FC1)", async () => {
  const commits: string[] = [];
  const failpoints = { hit: (name: string) => void (name.endsWith(":before") && commits.push(name.slice(0, -7))) };
  const core = await start([call("write_file", { path: "new.txt", content: "x" })], { failpoints });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  const ofTurn = commits.slice(commits.indexOf("turn.tool-intent"));
  expect(ofTurn.slice(0, 3)).toEqual(["turn.tool-intent", "file-change.intended", "file-change.done"]);
  // The last shares the flush of the commit after it: nothing waits for it.
  expect(ofTurn[3]).toBe("turn.model-intent");
});

test.each([
  ["before its intent", "file-change.intended:before", "one\n"],
  ["between its intent and the file", "file-change.intended:after", "one\n"],
  ["behind the file", "file-change.done:before", "two\n"],
  ["before the outcome", "turn.model-intent:before", "two\n"],
] as const)(
  "an edit that the process died %s is decided by its digests: made once, without asking (FC2)",
  async (_, at, left) => {
    writeFileSync(file("a.txt"), "one\n");
    const store = bench.newStore();
    const held = holdCommit(at);
    const edit = call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" });
    const first = await start([edit], { store, failpoints: held.failpoints });
    const { id } = await first.tasks.start({ text: "go" });
    await held.reached;
    expect(read("a.txt")).toBe(left);
    await bench.crash(first);
    const second = await start([edit], { store });
    const task = (await second.tasks.get(id))!;
    await task.settled();
    expect([answerText(task), read("a.txt")]).toEqual(["Changed a.txt (+1 −1).", "two\n"]);
    expect(await callsOf(second, id)).toMatchObject([{ name: "edit_file", outcome: "ok" }]);
    expect(await eventsOfKind(second, id, "task.parked")).toEqual([]);
    const made = await second.features["file-history"].changes.list({ task: id }, 10);
    expect(made).toMatchObject([{ operation: "modify", state: "done", current: "unchanged" }]);
  },
);

test("an edit whose file somebody changed after the process died is asked about (FC2)", async () => {
  writeFileSync(file("a.txt"), "one\n");
  const store = bench.newStore();
  const held = holdCommit("file-change.done:before");
  const edit = call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" });
  const first = await start([edit], { store, failpoints: held.failpoints });
  const { id } = await first.tasks.start({ text: "go" });
  await held.reached;
  await bench.crash(first);
  writeFileSync(file("a.txt"), "theirs\n");
  const second = await start([edit], { store });
  const task = (await second.tasks.get(id))!;
  await expect.poll(() => task.view.state).toBe("parked");
  expect(task.view.prompts).toMatchObject([{ reason: "again" }]);
  expect(read("a.txt")).toBe("theirs\n");
});

test.each([
  ["between its intent and the file", "file-change.intended:after", "one\n"],
  ["behind the file", "file-change.done:before", "two\n"],
] as const)(
  "an edit that a cancel cut off %s is settled by its digests: the same one does not ask",
  async (_, at, left) => {
    writeFileSync(file("a.txt"), "one\n");
    const held = holdCommit(at);
    const core = await start([call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" })], held);
    const context = { text: "go", context: "c" };
    const first = await core.tasks.start(context);
    await held.reached;
    const canceling = core.tasks.cancel(first.id);
    await new Promise(setImmediate);
    held.release();
    await canceling;
    expect(await callsOf(core, first.id)).toMatchObject([{ name: "edit_file", outcome: "unknown" }]);
    const again = await core.tasks.start(context);
    await again.settled();
    expect(again.view.state).toBe("completed");
    expect(answerText(again)).toContain(left === "one\n" ? "Changed a.txt" : "a.txt");
    expect(read("a.txt")).toBe("two\n");
  },
);

test("an edit that a cancel cut off is asked about where somebody else changed the file meanwhile (FC2)", async () => {
  writeFileSync(file("a.txt"), "one\n");
  const held = holdCommit("file-change.intended:after");
  const core = await start([call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" })], held);
  const first = await core.tasks.start({ text: "go", context: "c" });
  await held.reached;
  const canceling = core.tasks.cancel(first.id);
  await new Promise(setImmediate);
  writeFileSync(file("a.txt"), "one of theirs\n");
  held.release();
  await canceling;
  const again = await core.tasks.start({ text: "go", context: "c" });
  await again.settled();
  expect(again.view.prompts).toMatchObject([{ payload: { title: "Run edit_file although it may have happened?" } }]);
  expect(read("a.txt")).toBe("one of theirs\n");
});

test("people are shown what an edit would do to the file as it is now (F28)", async () => {
  writeFileSync(file("a.txt"), "one\ntwo\n");
  const core = await start([]);
  const preview = async (name: string, input: object) => {
    const tool = core.toolbox.get(name)!;
    return tool.preview?.(input, {} as never);
  };
  const edit = { path: "a.txt", project: "", old_string: "two", new_string: "2", replace_all: false };
  const first = await preview("edit_file", edit);
  expect(first).toMatchObject({
    kind: "diff",
    files: [{ path: "a.txt", additions: 1, deletions: 1 }],
    patch: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  writeFileSync(file("a.txt"), "zero\none\ntwo\n");
  expect((await preview("edit_file", edit))?.base).not.toBe(first?.base);
  expect(await preview("delete_file", { path: "a.txt", project: "" })).toMatchObject({
    kind: "delete",
    path: "a.txt",
    bytes: 13,
  });
  expect(await preview("write_file", { path: "new.txt", project: "", content: "x\n" })).toMatchObject({
    kind: "diff",
    base: "none",
    files: [{ path: "new.txt", additions: 1, deletions: 0 }],
  });
});
