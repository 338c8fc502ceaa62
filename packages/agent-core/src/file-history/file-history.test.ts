/** Changes of files, what they were, and the way back (FC1 to FC6). Real files, a real store. */
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
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Command, Database } from "../database/index.ts";
import { openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { createIdSource } from "../event/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { FileChanges, type UndoneFile, type WantedChange } from "./index.ts";

// One pair for all tests: starting one is most of what opening a store costs.
let base: string;
let db: Database;
let commits: string[];
/** Called before each commit. */
let onCommit: (command: Command) => void;
let changes: FileChanges;
let published: { topic: string; data: unknown }[];
let limitBytes: number;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "history-")));
  mkdirSync(join(base, "app"));
  const store = await openDatabase({
    url: ":memory:",
    schema: "tasks",
    owner: { name: "test" },
    threads: benchThreads,
  });
  db = store;
  [commits, published, onCommit, limitBytes] = [[], [], () => {}, 1 << 30];
  changes = open();
  for (const [id, parent, context] of [
    ["turn", null, "talk"],
    ["child", "turn", "subagent:1"],
    ["other", null, "talk"],
  ] as const)
    await store.commit({
      label: "task",
      statements: [
        {
          sql: "INSERT INTO task (id, class, context, origin, state, seq, created_at, updated_at, options, parent) VALUES (?, 'operator', ?, 'chat', 'completed', 1, 0, 0, '{}', ?)",
          args: [id, context, parent],
        },
      ],
    });
});
afterEach(async () => {
  await changes.history.settled();
  await db.close();
  rmSync(base, { recursive: true, force: true });
});

/** As a process opens it at its start. */
function open(): FileChanges {
  const registry = new ProjectRegistry([projectAt({ name: "app", path: join(base, "app") })]);
  const places = new ProtectedPlaces([join(base, "history")]);
  const clock = { now: () => Date.now() };
  const watched: Database = {
    durable: true,
    description: "",
    state: "ok",
    read: (...args) => db.read(...args),
    eraseRemains: () => db.eraseRemains(),
    close: () => db.close(),
    async commit(command) {
      onCommit(command);
      commits.push(command.label);
      return db.commit(command);
    },
  };
  return new FileChanges({
    ...{
      db: watched,
      clock,
      newId: createIdSource(clock),
      folder: join(base, "history"),
      limitBytes: () => limitBytes,
    },
    fence: new Fence({ projects: () => registry, places: () => places }),
    redactor: createRedactor({ secrets: () => ["s3cr3t-value"] }),
    bus: { publish: (topic, data) => void published.push({ topic, data }) },
    log: { info() {}, warn() {}, error() {}, debug() {} } as never,
  });
}

const file = (path: string): string => join(base, "app", path);
const read = (path: string): string => readFileSync(file(path), "utf8");
const images = (): readonly string[] =>
  readdirSync(join(base, "history"), { recursive: true, encoding: "utf8" }).filter((path) => path.includes("/"));
const count = async (table: string): Promise<number> =>
  Number((await db.read({ sql: `SELECT count(*) FROM ${table}`, args: [] }))[0]?.[0]);

function change(
  path: string,
  content: string | undefined,
  more: Partial<WantedChange> & { call?: string; task?: string } = {},
) {
  const { call = "c1", task = "turn", ...rest } = more;
  return changes.history.change({
    ...{ owner: { call, task, class: "operator" }, path, access: content === undefined ? "delete" : "write" },
    signal: new AbortController().signal,
    content: () => (content === undefined ? undefined : Buffer.from(content)),
    ...rest,
  });
}
const listed = async () => {
  await changes.history.settled();
  return changes.list({ task: "turn" }, 100);
};
const undo = async (request: Parameters<FileChanges["undo"]>[0] = { tasks: ["turn"] }, preview = false) =>
  (await changes.undo(request, { preview })).files.map(({ path, result, reason }: UndoneFile) =>
    reason === undefined ? [path, result] : [path, result, reason],
  );

describe("a change", () => {
  it("keeps what was there, then commits its intent, then touches the file: one commit before it (FC1)", async () => {
    writeFileSync(file("a.txt"), "one\ntwo\n");
    chmodSync(file("a.txt"), 0o750);
    onCommit = ({ label }) => {
      if (label === "file-change.intended") expect([images().length, read("a.txt")]).toEqual([1, "one\ntwo\n"]);
    };
    const made = await change("a.txt", "one\n2\nthree\n");
    expect(made).toMatchObject({ outcome: "modified", added: 2, removed: 1, reason: undefined });
    expect(commits[0]).toBe("file-change.intended");
    expect([read("a.txt"), statSync(file("a.txt")).mode & 0o777]).toEqual(["one\n2\nthree\n", 0o750]);
    const [row] = await listed();
    expect(commits).toEqual(["file-change.intended", "file-change.done"]);
    expect(row).toMatchObject({
      state: "done",
      operation: "modify",
      context: "talk",
      current: "unchanged",
      call: "c1",
    });
    expect(published).toMatchObject([
      { topic: "files.changed", data: { task_id: "turn", path: "a.txt", op: "modify" } },
    ]);
    const image = join(base, "history", images()[0]!);
    expect([statSync(image).mode & 0o777, statSync(join(base, "history")).mode & 0o777]).toEqual([0o600, 0o700]);
    await change("a.txt", "one\n2\nthree\n");
    expect(await count("file_change")).toBe(1);
  });

  it("belongs to the conversation of the turn also where the turn delegated it", async () => {
    await change("sub/new.txt", "x", { task: "child" });
    expect(await listed()).toMatchObject([
      { operation: "create", path: "sub/new.txt", task: "child", context: "talk" },
    ]);
    expect(await changes.list({ session: "talk" }, 10)).toHaveLength(1);
    expect(await changes.list({ project: "app" }, 10)).toHaveLength(1);
    expect(await changes.list({ task: "other" }, 10)).toEqual([]);
  });

  it("waits for another change of the same file, and is tried three times while another process changes it (F8)", async () => {
    writeFileSync(file("a.txt"), "");
    const add = (letter: string) =>
      change("a.txt", "", { content: (current) => Buffer.concat([current!.content!, Buffer.from(letter)]) });
    await Promise.all([..."abcdefgh"].map(add));
    expect([...read("a.txt")].sort().join("")).toBe("abcdefgh");
    let tries = 0;
    const disturbed = change("a.txt", "mine", {
      content() {
        writeFileSync(file("a.txt"), `theirs ${tries++}`);
        return Buffer.from("mine");
      },
    });
    await expect(disturbed).rejects.toMatchObject({ code: "file-history.changed" });
    expect([tries, read("a.txt")]).toEqual([3, "theirs 2"]);
    expect(await listed()).toHaveLength(8);
  });

  it("leaves nothing where it was canceled before, or where its file cannot be replaced", async () => {
    const canceled = change("new.txt", "x", { signal: AbortSignal.abort() });
    await expect(canceled).rejects.toMatchObject({ code: "file-history.canceled" });
    expect([readdirSync(join(base, "app")), await listed()]).toEqual([[], []]);
  });
});

describe("whether a change was made is decided by its digests (FC2)", () => {
  const owner = { task: "turn", call: "c1" };
  /** The process ends at this commit; the next one looks. */
  async function killedAt(label: string): Promise<void> {
    writeFileSync(file("a.txt"), "before");
    onCommit = (command) => {
      if (command.label === label) throw new Error("killed");
    };
    await change("a.txt", "after").catch(() => {});
    await changes.history.settled();
    onCommit = () => {};
    changes = open();
  }

  it("did not happen: no intent was committed", async () => {
    await killedAt("file-change.intended");
    expect(await changes.history.reconcile(owner)).toBeUndefined();
    expect(read("a.txt")).toBe("before");
  });

  it("happened: the file holds what it was to hold, also after the start settled it", async () => {
    await killedAt("file-change.done");
    expect(await changes.history.store.ofCall("turn", "c1")).toMatchObject({ state: "intended" });
    expect(await changes.history.reconcile(owner)).toMatchObject({ state: "done", operation: "modify" });
    await changes.recover();
    expect(await listed()).toMatchObject([{ state: "done", current: "unchanged" }]);
  });

  it("did not happen: the file holds what it held, and what the kill left beside it goes", async () => {
    await killedAt("file-change.done");
    writeFileSync(file("a.txt"), "before");
    const id = (await listed())[0]?.id;
    writeFileSync(file(`.${id}.agent-service.tmp`), "aft");
    await changes.recover();
    expect([await changes.history.reconcile(owner), await listed(), readdirSync(join(base, "app"))]).toEqual([
      ...[undefined, [], ["a.txt"]],
    ]);
  });

  it("is unknown where the file matches neither: a person is asked, and no undo touches it", async () => {
    await killedAt("file-change.done");
    writeFileSync(file("a.txt"), "something else");
    await changes.recover();
    await expect(changes.history.reconcile(owner)).rejects.toMatchObject({ code: "file-history.unclear" });
    expect(await undo()).toEqual([["a.txt", "conflict", "pending"]]);
    expect(read("a.txt")).toBe("something else");
  });
});

describe("an undo", () => {
  /** a.txt changed twice, b.txt made, c.txt removed. */
  async function turn(): Promise<void> {
    writeFileSync(file("a.txt"), "a0");
    writeFileSync(file("c.txt"), "c0", { mode: 0o640 });
    for (const [path, content] of [
      ["a.txt", "a1"],
      ["b.txt", "b1"],
      ["a.txt", "a2"],
      ["c.txt", undefined],
    ] as const)
      await change(path, content);
    await changes.history.settled();
  }

  it("takes a turn back, says beforehand what becomes of each file, and can be taken back itself", async () => {
    await turn();
    const all = [
      ["c.txt", "restored"],
      ["a.txt", "restored"],
      ["b.txt", "removed"],
    ];
    expect(await undo({ tasks: ["turn"] }, true)).toEqual(all);
    expect(read("a.txt")).toBe("a2");
    const { id } = await changes.undo({ tasks: ["turn"] }, { preview: false });
    expect([read("a.txt"), read("c.txt"), readdirSync(join(base, "app")).sort()]).toEqual([
      "a0",
      "c0",
      ["a.txt", "c.txt"],
    ]);
    expect(statSync(file("c.txt")).mode & 0o777).toBe(0o640);
    expect(published.at(-1)).toMatchObject({ topic: "files.undone", data: { undo_id: id, files: 3 } });
    const rows = await listed();
    const undos = rows.filter(({ origin }) => origin === "undo");
    expect(undos.map((row) => row.path).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
    for (const row of undos) expect(row).toMatchObject({ undo: id, state: "done", reason: undefined });
    expect(rows.filter(({ origin }) => origin === "tool").every(({ undoneBy }) => undoneBy !== undefined)).toBe(true);
    expect(await undo()).toEqual([]);

    const again = await undo({ ids: undos.map((row) => row.id) });
    expect(again.map(([path, result]) => `${path} ${result}`).sort()).toEqual([
      ...["a.txt restored", "b.txt restored", "c.txt removed"],
    ]);
    expect([read("a.txt"), read("b.txt"), readdirSync(join(base, "app")).sort()]).toEqual([
      "a2",
      "b1",
      ["a.txt", "b.txt"],
    ]);
    expect((await listed()).filter(({ origin, undoneBy }) => origin === "tool" && undoneBy !== undefined)).toEqual([]);
    expect(await undo()).toHaveLength(3);
    expect(read("a.txt")).toBe("a0");
  });

  it("restores only what still is as the change left it, and reports the rest (FC3)", async () => {
    await turn();
    writeFileSync(file("a.txt"), "theirs");
    rmSync(file("b.txt"));
    writeFileSync(file("c.txt"), "theirs too");
    expect(await undo()).toEqual([
      ["c.txt", "conflict", "changed"],
      ["a.txt", "conflict", "changed"],
      ["b.txt", "conflict", "missing"],
    ]);
    expect([read("a.txt"), read("c.txt")]).toEqual(["theirs", "theirs too"]);
    expect((await listed()).every(({ undoneBy, origin }) => undoneBy === undefined && origin === "tool")).toBe(true);
  });

  it("takes of a file all that was chosen or nothing: a change between, or a later one, is a conflict (F17)", async () => {
    await turn();
    const own = (await listed()).filter(({ path }) => path === "a.txt").map(({ id }) => id);
    expect(await undo({ ids: [own[1]!] })).toEqual([["a.txt", "conflict", "changed"]]);
    await change("a.txt", "other", { task: "other" });
    await change("a.txt", "a3");
    await changes.history.settled();
    const [newest] = await listed();
    expect(await undo({ ids: [newest!.id, ...own] })).toEqual([["a.txt", "conflict", "between"]]);
    expect(await undo({ ids: [newest!.id] })).toEqual([["a.txt", "restored"]]);
    expect(read("a.txt")).toBe("other");
  });

  it("refuses what it does not know, and a turn that runs", async () => {
    await turn();
    await expect(undo({ ids: ["nothing"] })).rejects.toMatchObject({ code: "file-history.unknown" });
    await expect(undo({ tasks: ["nothing"] })).rejects.toMatchObject({ code: "file-history.unknown" });
    expect(await undo({ tasks: ["other"] })).toEqual([]);
    await db.commit({
      label: "run",
      statements: [{ sql: "UPDATE task SET state = 'running' WHERE id = 'child'", args: [] }],
    });
    await expect(undo()).rejects.toMatchObject({ code: "file-history.running" });
  });

  it("is finished at the start where it was cut off, whichever files it had reached (F17)", async () => {
    await turn();
    let restored = 0;
    onCommit = ({ label }) => {
      if (label === "file-change.undone") throw new Error("killed");
    };
    await expect(undo()).rejects.toThrow("killed");
    // As a kill leaves it that came when one file was restored.
    writeFileSync(file("a.txt"), "a2");
    writeFileSync(file("b.txt"), "b1");
    onCommit = ({ label }) => void (label === "file-change.undone" && restored++);
    changes = open();
    await changes.recover();
    expect([restored, read("a.txt"), read("c.txt"), readdirSync(join(base, "app")).sort()]).toEqual([
      ...[3, "a0", "c0", ["a.txt", "c.txt"]],
    ]);
    expect((await listed()).map(({ state }) => state)).toEqual(Array(7).fill("done"));
  });

  it("of a file that changed meanwhile ends at the start without touching it (FC3)", async () => {
    await turn();
    onCommit = ({ label }) => {
      if (label === "file-change.undone") throw new Error("killed");
    };
    await undo().catch(() => {});
    onCommit = () => {};
    writeFileSync(file("a.txt"), "theirs");
    changes = open();
    await changes.recover();
    expect(read("a.txt")).toBe("theirs");
    expect(
      (await listed())
        .filter(({ origin }) => origin === "undo")
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["b.txt", "c.txt"]);
  });
});

describe("what files held", () => {
  it("is not kept of what is too large, of what holds a known secret, or where nothing is to be kept (FC5)", async () => {
    writeFileSync(file("large"), Buffer.alloc(8 * 1_048_576 + 1));
    writeFileSync(file("secret.txt"), "key: s3cr3t-value\n");
    writeFileSync(file("off.txt"), "off");
    expect(await changes.history.irreversible({ path: "large", access: "delete" })).toBe("too_large");
    expect((await change("large", undefined)).reason).toBe("too_large");
    expect((await change("secret.txt", "none")).reason).toBe("secret");
    limitBytes = 0;
    expect((await change("off.txt", "on")).reason).toBe("history_off");
    expect(existing()).toEqual([]);
    await changes.history.settled();
    expect(await undo()).toEqual([
      ["off.txt", "not_reversible", "history_off"],
      ["secret.txt", "not_reversible", "secret"],
      ["large", "not_reversible", "too_large"],
    ]);
  });
  const existing = (): readonly string[] => {
    try {
      return images();
    } catch {
      return [];
    }
  };

  it("stays within its bound: the oldest goes, and its change cannot be taken back (FC6)", async () => {
    limitBytes = 3_000;
    const noise = (seed: number) =>
      Array.from({ length: 1_000 }, (_, i) => ((i * seed * 7919) % 9973).toString(36)).join("");
    for (const n of [1, 2, 3, 4]) {
      writeFileSync(file(`${n}.txt`), noise(n));
      await change(`${n}.txt`, "short");
    }
    const { bytes, limit } = await changes.usage();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(limit);
    const rows = await listed();
    expect(rows.at(-1)).toMatchObject({ path: "1.txt", reason: "expired" });
    expect(rows[0]).toMatchObject({ path: "4.txt", reason: undefined });
    expect(images()).toHaveLength(await count("file_image"));
  });

  it("goes with the last turn that needs it, and nothing of the turn's rows stays (FC6)", async () => {
    writeFileSync(file("a.txt"), "same");
    writeFileSync(file("b.txt"), "same");
    await change("a.txt", "1");
    await change("b.txt", "2", { task: "other" });
    await changes.history.settled();
    expect(images()).toHaveLength(1);
    await changes.forgetTasks(["turn", "child"]);
    expect([images().length, await count("file_change")]).toEqual([1, 1]);
    await changes.forgetTasks(["other"]);
    expect([images(), await count("file_change"), await count("file_image")]).toEqual([[], 0, 0]);
  });

  it("that a kill left without a row is swept, and the changes of turns whose journal is gone (FC6)", async () => {
    writeFileSync(file("a.txt"), "one");
    await change("a.txt", "two");
    await changes.history.settled();
    const [image] = images();
    await db.commit({ label: "old", statements: [{ sql: "UPDATE file_change SET at = 0", args: [] }] });
    await changes.sweep();
    expect([await count("file_change"), images()]).toEqual([0, []]);
    expect(image).toBeDefined();
  });
});

it("folds all changes of a file into one difference, without secrets (F16)", async () => {
  writeFileSync(file("a.txt"), "one\ntwo s3cr3t-value\n");
  writeFileSync(file("gone.txt"), "x\n");
  await change('new "name".txt', "hello");
  await change("gone.txt", undefined);
  await change("b.bin", "\0\u0001");
  await change("same.txt", "1");
  await change("same.txt", undefined);
  await changes.history.settled();
  const { files, patch, truncated } = await changes.diff({ task: "turn" });
  expect(
    files.map(({ path, status, additions, deletions, binary }) => [path, status, additions, deletions, binary]),
  ).toEqual([
    ["b.bin", "A", 0, 0, true],
    ["gone.txt", "D", 0, 1, false],
    ['new "name".txt', "A", 1, 0, false],
  ]);
  expect([truncated, patch]).toEqual([
    false,
    [
      ...[
        "diff --git a/gone.txt b/gone.txt",
        "deleted file mode 100644",
        "--- a/gone.txt",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-x",
      ],
      ...['diff --git "a/new \\"name\\".txt" "b/new \\"name\\".txt"', "new file mode 100644", "--- /dev/null"],
      ...['+++ "b/new \\"name\\".txt"', "@@ -0,0 +1 @@", "+hello", "\\ No newline at end of file", ""],
    ].join("\n"),
  ]);
  await change("a.txt", "one\ntwo s3cr3t-value\nthree\n");
  await changes.history.settled();
  const [row] = await listed();
  const own = await changes.diff({ ids: [row!.id] });
  expect(own.files).toMatchObject([{ path: "a.txt", reason: "secret" }]);
});
