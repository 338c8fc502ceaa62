/** What commands change, listed and taken back: real repositories, programs and turns (FC1 to FC6, F16, F17). */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerText, call, coreBench } from "../core-bench.ts";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { fileHistory, type ListedChange } from "../file-history/index.ts";
import { filesystem } from "../filesystem/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { runCommands } from "../run-command/index.ts";
import { sessions } from "../session/index.ts";
import { scriptedModel } from "../testing/index.ts";
import { commandChanges } from "./index.ts";

const PATIENCE = { timeout: 60_000 };
/** What only a hang reaches: a note is taken in a thread of its own. */
const TIMES = { noteMs: 60_000, compareMs: 60_000 };
const SECRET = "sk-a-secret-that-the-service-knows";
const bench = coreBench();
const base = realpathSync(mkdtempSync(join(tmpdir(), "command-changes-")));
let count = 0;
let root: string;
let registry = new ProjectRegistry([]);
let historyMb = 64;
let core: Awaited<ReturnType<typeof start>>;

function start(store = ":memory:", limits?: { files: number; fileBytes: number; totalBytes: number }) {
  const places = new ProtectedPlaces([join(base, "home")]);
  const fence = new Fence({ projects: () => registry, places: () => places });
  const features = [
    ...[sessions, filesystem({ fence }), fileHistory({ folder: join(base, "home/history") })],
    commandChanges({
      folder: join(base, "home/notes"),
      inherited: process.env,
      times: TIMES,
      ...(limits && { limits }),
    }),
    runCommands({
      ...{ inherited: process.env, userHome: join(base, "user"), spool: join(base, "home/spool") },
      ...{ sandbox: () => undefined, isOpen: () => false },
    }),
  ] as const;
  const model = scriptedModel(({ messages }) => {
    const said = messages.at(-1)!;
    if (said.role === "tool") return said.text;
    const [part] = said.role === "user" ? said.content : [];
    return [call("run_command", JSON.parse(part?.kind === "text" ? part.text : "") as object)];
  });
  const commands = { ...{ enabled: true, allow_run: true, run_requires_approval: false }, run_auto_approve: [] };
  const confined = { sandbox: "off", run_network: "approved", run_env: [] };
  const settings = () => ({ ...commands, ...confined, history_mb: historyMb });
  const redactor = createRedactor({ secrets: () => [SECRET] });
  return bench.start({ model, features, settings, redactor, store, onRestart: "resume" });
}

beforeAll(async () => {
  mkdirSync(join(base, "home/spool"), { recursive: true });
  core = await start();
});
beforeEach(() => {
  root = join(base, `p${++count}`);
  mkdirSync(root);
  registry = new ProjectRegistry([projectAt({ name: "app", path: root })]);
});
afterAll(async () => {
  await bench.end();
  bench.remove();
  rmSync(base, { recursive: true, force: true });
});

const file = (path: string): string => join(root, path);
const read = (path: string): string => readFileSync(file(path), "utf8");
function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(file(path)), { recursive: true });
    writeFileSync(file(path), text);
  }
}
const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.test", ...args], {
    cwd: root,
    encoding: "utf8",
  });
function commit(files: Record<string, string>): void {
  git("init", "-q");
  put(files);
  git("add", "-A");
  git("commit", "-qm", "first");
}

interface Ran {
  readonly task: string;
  readonly said: string;
  readonly changes: readonly ListedChange[];
}

async function run(command: string, more: object = {}): Promise<Ran> {
  const handle = await core.tasks.start({ text: JSON.stringify({ command, ...more }) });
  await handle.settled();
  const { changes } = core.features["file-history"];
  const listed = await changes.list({ task: handle.id }, 6_000);
  return { task: handle.id, said: answerText(handle)!, changes: listed.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}
const shown = ({ changes }: Ran): string[] =>
  changes.map(({ operation, path, added, removed, reason }) => {
    return `${operation} ${path} +${added} −${removed}${reason === undefined ? "" : ` ${reason}`}`;
  });
async function undo({ task }: Ran): Promise<string[]> {
  const { files } = await core.features["file-history"].changes.undo({ tasks: [task] }, { preview: false });
  return files.map(({ path, result, reason }) => `${path} ${result}${reason === undefined ? "" : ` ${reason}`}`).sort();
}

describe("in a repository", () => {
  it("lists what a command created, changed and deleted, and undo restores it", async () => {
    commit({ "a.txt": "one\ntwo\n", "b.txt": "b\n", "src/c.txt": "c\n", "same.txt": "same\n" });
    put({ "dirty.txt": "not committed\n", "b.txt": "b\nstaged or not\n" });
    const ran = await run(
      "echo three >> a.txt; rm src/c.txt dirty.txt; echo new > new.txt; echo x >> b.txt; touch same.txt",
    );
    expect(shown(ran)).toEqual([
      ...["modify a.txt +1 −0", "modify b.txt +1 −0", "delete dirty.txt +0 −1", "create new.txt +1 −0"],
      "delete src/c.txt +0 −1",
    ]);
    expect(ran.changes).toMatchObject(
      ran.changes.map(() => ({ origin: "command", state: "done", uncertain: false, current: "unchanged" })),
    );
    const before = git("status", "--porcelain=v2");
    expect(await undo(ran)).toEqual([
      ...["a.txt restored", "b.txt restored", "dirty.txt restored", "new.txt removed", "src/c.txt restored"],
    ]);
    expect([read("a.txt"), read("b.txt"), read("dirty.txt"), read("src/c.txt"), existsSync(file("new.txt"))]).toEqual([
      ...["one\ntwo\n", "b\nstaged or not\n", "not committed\n", "c\n", false],
    ]);
    expect(git("status", "--porcelain=v2")).not.toBe(before);
  });

  it("takes an undo back, and leaves what was changed since", async () => {
    commit({ "a.txt": "a\n", "b.txt": "b\n" });
    const ran = await run("echo 2 > a.txt; echo 2 > b.txt");
    appendFileSync(file("b.txt"), "mine\n");
    expect(await undo(ran)).toEqual(["a.txt restored", "b.txt conflict changed"]);
    const { changes } = core.features["file-history"];
    const [made] = await changes.list({ task: ran.task }, 1);
    expect(made).toMatchObject({ origin: "undo", path: "a.txt" });
    await changes.undo({ ids: [made!.id] }, { preview: false });
    expect([read("a.txt"), read("b.txt")]).toEqual(["2\n", "2\nmine\n"]);
  });

  it("tells a changed mode and a renamed file, and undoes both", async () => {
    commit({ "run.sh": "echo\n", "dirty.sh": "", "old.txt": "text\n", bin: "\0\x01" });
    put({ "dirty.sh": "echo\n" });
    const ran = await run("chmod 755 run.sh dirty.sh; mv old.txt new.txt; printf '\\0\\2' > bin");
    expect(shown(ran)).toEqual([
      ...[
        "modify bin +0 −0",
        "modify dirty.sh +0 −0",
        "create new.txt +1 −0",
        "delete old.txt +0 −1",
        "modify run.sh +0 −0",
      ],
    ]);
    expect(await undo(ran)).toEqual([
      ...["bin restored", "dirty.sh restored", "new.txt removed", "old.txt restored", "run.sh restored"],
    ]);
    const modes = ["run.sh", "dirty.sh"].map((path) => statSync(file(path)).mode & 0o777);
    expect([...modes, read("old.txt"), read("bin")]).toEqual([0o644, 0o644, "text\n", "\0\x01"]);
  });

  it("lists what cannot be kept, and says why it stays", async () => {
    commit({ "big.txt": "x".repeat(9 * 1_048_576), ".env": "A=1\n", "conf.txt": `key ${SECRET}\n` });
    symlinkSync("a", file("link"));
    put({ "untracked.bin": "y".repeat(1_048_577), "known.txt": SECRET });
    const ran = await run(
      "for f in big.txt .env conf.txt untracked.bin known.txt; do echo 2 > $f; done; ln -sf b link; ln -s c made",
    );
    expect(shown(ran)).toEqual([
      ...["modify .env +0 −0 secret", "modify big.txt +0 −0 too_large", "modify conf.txt +0 −0 secret"],
      ...[
        "modify known.txt +0 −0 secret",
        "modify link +0 −0 link",
        "create made +0 −0",
        "modify untracked.bin +0 −0 too_large",
      ],
    ]);
    expect(await undo(ran)).toEqual([
      ...[".env not_reversible secret", "big.txt not_reversible too_large", "conf.txt not_reversible secret"],
      ...[
        "known.txt not_reversible secret",
        "link not_reversible link",
        "made removed",
        "untracked.bin not_reversible too_large",
      ],
    ]);
    expect(readlinkSync(file("link"))).toBe("b");
    const kept = readdirSync(join(base, "home"), { recursive: true, withFileTypes: true }).filter((entry) => {
      return entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(SECRET);
    });
    expect(kept).toEqual([]);
  });

  it("says nothing of ignored files, also where a command changes what is ignored", async () => {
    commit({ ".gitignore": "out/\n", "a.txt": "a\n" });
    put({ "out/old.txt": "old\n", "seen.txt": "seen\n" });
    const first = await run("echo 2 > out/old.txt; echo new > out/new.txt");
    expect(shown(first)).toEqual([]);
    // What was there all along is not taken for new, and never removed.
    const ran = await run("echo seen.txt > .gitignore; echo 3 > out/old.txt; echo 2 >> seen.txt");
    expect(shown(ran)).toEqual([
      ...["modify .gitignore +1 −1", "create out/new.txt +1 −0 not_kept", "create out/old.txt +1 −0 not_kept"],
      "modify seen.txt +1 −0",
    ]);
    expect(await undo(ran)).toContain("out/old.txt not_reversible not_kept");
    const moved = await run("mv out/new.txt moved.txt");
    expect(shown(moved)).toEqual(["create moved.txt +1 −0 not_kept"]);
  });

  it("undoes what git itself did to the files, and never touches what is git's", async () => {
    commit({ "a.txt": "1\n" });
    git("checkout", "-qb", "other");
    put({ "a.txt": "2\n", "b.txt": "b\n" });
    git("add", "-A");
    git("commit", "-qm", "second");
    git("checkout", "-q", "-");
    put({ "work.txt": "mine\n" });
    const ran = await run(
      "git checkout -q other && git add -A && git -c user.name=a -c user.email=a@b commit -qm third && rm -rf .git/hooks",
    );
    expect(shown(ran)).toEqual(["modify a.txt +1 −1", "create b.txt +1 −0"]);
    const head = git("rev-parse", "HEAD");
    const index = readFileSync(file(".git/index"));
    expect(await undo(ran)).toEqual(["a.txt restored", "b.txt removed"]);
    expect([git("rev-parse", "HEAD"), readFileSync(file(".git/index")).equals(index), read("a.txt")]).toEqual([
      head,
      true,
      "1\n",
    ]);
  });

  it("works before the first commit, and in a folder of a repository", async () => {
    git("init", "-q");
    put({ "sub/a.txt": "a\n", "b.txt": "b\n" });
    const first = await run("echo 2 >> a.txt", { cwd: "sub" });
    expect(shown(first)).toEqual(["modify sub/a.txt +1 −0"]);
    git("add", "-A");
    git("commit", "-qm", "first");
    registry = new ProjectRegistry([projectAt({ name: "app", path: file("sub") })]);
    const ran = await run("echo 3 >> a.txt; echo 3 >> ../b.txt; echo n > n.txt");
    expect(shown(ran)).toEqual(["modify a.txt +1 −0", "create n.txt +1 −0"]);
    expect(await undo(ran)).toEqual(["a.txt restored", "n.txt removed"]);
    expect([read("sub/a.txt"), read("b.txt")]).toEqual(["a\n2\n", "b\n3\n"]);
  });

  it("looks into submodules and repositories inside", async () => {
    const outer = root;
    commit({ "a.txt": "a\n" });
    root = join(outer, "inner");
    mkdirSync(root);
    commit({ "i.txt": "i\n" });
    root = outer;
    mkdirSync(file("nested"));
    execFileSync("git", ["init", "-q"], { cwd: file("nested") });
    put({ "nested/n.txt": "n\n" });
    git("-c", "advice.addEmbeddedRepo=false", "add", "inner");
    const ran = await run(
      "echo 2 >> inner/i.txt; echo 2 >> nested/n.txt; echo x > nested/.git/x; git init -q made; echo m > made/m.txt",
    );
    expect(shown(ran)).toEqual(["modify inner/i.txt +1 −0", "create made/m.txt +1 −0", "modify nested/n.txt +1 −0"]);
    expect(await undo(ran)).toEqual(["inner/i.txt restored", "made/m.txt removed", "nested/n.txt restored"]);
  });

  it("does not take what git converts for what a file held", async () => {
    git("init", "-q");
    git("config", "filter.rot.clean", "tr a-z n-za-m");
    git("config", "filter.rot.smudge", "tr a-z n-za-m");
    git("config", "core.autocrlf", "true");
    put({ ".gitattributes": "*.rot filter=rot -text\n", "a.rot": "secret\n", "crlf.txt": "one\r\n" });
    // As old files are, git compares neither by content.
    for (const path of ["a.rot", "crlf.txt"]) utimesSync(file(path), 1, 1);
    git("add", "-A");
    git("commit", "-qm", "first");
    const ran = await run("echo 2 > a.rot; echo 2 > crlf.txt");
    expect(shown(ran)).toEqual(["modify a.rot +0 −0 not_kept", "modify crlf.txt +0 −0 not_kept"]);
  });

  it("notices files that the index is told to leave alone", async () => {
    commit({ "a.txt": "a\n", "s.txt": "s\n" });
    git("update-index", "--assume-unchanged", "a.txt");
    git("update-index", "--skip-worktree", "s.txt");
    const ran = await run("echo 2 >> a.txt; rm s.txt");
    expect(await undo(ran)).toEqual(["a.txt restored", "s.txt restored"]);
  });
});

describe("in a folder without a repository", () => {
  it("lists and undoes what a command did, but for what .gitignore names", async () => {
    put({
      "a.txt": "a\n",
      "deep/b.txt": "b\n",
      "c.sh": "c\n",
      ".gitignore": "out\n",
      "out/o.txt": "o\n",
      ".env": "A=1",
    });
    const ran = await run(
      "echo 2 >> a.txt; rm -r deep; echo n > n.txt; chmod +x c.sh; echo 2 > out/o.txt; echo B=1 >> .env",
    );
    expect(shown(ran)).toEqual([
      ...[
        "modify .env +0 −0 secret",
        "modify a.txt +1 −0",
        "modify c.sh +0 −0",
        "delete deep/b.txt +0 −1",
        "create n.txt +1 −0",
      ],
    ]);
    expect(await undo(ran)).toEqual([
      ...[".env not_reversible secret", "a.txt restored", "c.sh restored", "deep/b.txt restored", "n.txt removed"],
    ]);
    expect([read("a.txt"), read("deep/b.txt"), statSync(file("c.sh")).mode & 0o111]).toEqual(["a\n", "b\n", 0]);
  });

  it("is what a folder is whose repository cannot be read", async () => {
    put({ ".git": "gitdir: /nowhere\n", "a.txt": "a\n" });
    const ran = await run("echo 2 >> a.txt; echo 2 >> .git");
    expect(shown(ran)).toEqual(["modify a.txt +1 −0"]);
    expect(await undo(ran)).toEqual(["a.txt restored"]);
  });

  it("never reaches the service's own places", async () => {
    registry = new ProjectRegistry([projectAt({ name: "app", path: base })]);
    const ran = await run(`echo 2 > ${root}/x.txt; echo 2 > home/x.txt`);
    expect(shown(ran)).toEqual([`create p${count}/x.txt +1 −0`]);
  });
});

it("changes of a deeper project are that project's", async () => {
  mkdirSync(file("inner"));
  const inner = projectAt({ name: "inner", path: file("inner") });
  registry = new ProjectRegistry([projectAt({ name: "app", path: root }), inner]);
  const ran = await run("echo 1 > inner/a.txt; echo 1 > b.txt", { project: "app" });
  expect(ran.changes.map(({ project, path }) => `${project}: ${path}`)).toEqual(["inner: a.txt", "app: b.txt"]);
});

it("says with the history off that nothing can be taken back", async () => {
  commit({ "a.txt": "a\n" });
  put({ "u.txt": "u\n" });
  historyMb = 0;
  try {
    const ran = await run("echo 2 > a.txt; echo 2 > u.txt; echo 2 > n.txt");
    expect(shown(ran).map((line) => line.split(" ").slice(1))).toEqual([
      ["a.txt", "+1", "−1", "history_off"],
      ["n.txt", "+1", "−0", "history_off"],
      ["u.txt", "+0", "−0", "history_off"],
    ]);
  } finally {
    historyMb = 64;
  }
});

it("records what a command did that failed, was ended or took too long", async () => {
  commit({ "a.txt": "a\n" });
  const failed = await run("echo 2 >> a.txt; exit 3");
  expect([failed.said, shown(failed)]).toEqual([expect.stringContaining("exit 3"), ["modify a.txt +1 −0"]]);
  const late = await run("echo 3 >> a.txt; sleep 100", { timeout: 1 });
  expect(shown(late)).toEqual(["modify a.txt +1 −0"]);
  const handle = await core.tasks.start({ text: JSON.stringify({ command: "echo 4 >> a.txt; sleep 100" }) });
  await expect.poll(() => read("a.txt"), PATIENCE).toContain("4");
  await core.tasks.cancel(handle.id);
  const { changes } = core.features["file-history"];
  await expect.poll(() => changes.list({ task: handle.id }, 9), PATIENCE).toHaveLength(1);
  await expect.poll(() => readdirSync(join(base, "home/notes")), PATIENCE).toEqual([]);
});

it("says of commands that ran at once that one of them changed a file, once", async () => {
  commit({ "a.txt": "a\n", "b.txt": "b\n" });
  const until = (path: string): string => `while [ ! -e ../go${count}${path} ]; do sleep 0.05; done`;
  const first = run(`echo 1 > one; ${until("1")}; echo 2 >> a.txt`);
  await expect.poll(() => existsSync(file("one")), PATIENCE).toBe(true);
  const second = run(`echo 1 > two; ${until("2")}; echo 2 >> b.txt`);
  await expect.poll(() => existsSync(file("two")), PATIENCE).toBe(true);
  writeFileSync(`${base}/go${count}1`, "");
  const ended = await first;
  writeFileSync(`${base}/go${count}2`, "");
  const all = [ended, await second].flatMap(({ changes }) => changes);
  expect(all.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt", "one", "two"]);
  expect(all.every(({ uncertain }) => uncertain)).toBe(true);
  for (const one of [await second, ended]) await undo(one);
  expect([read("a.txt"), read("b.txt"), readdirSync(root)]).toEqual(["a\n", "b\n", [".git", "a.txt", "b.txt"]]);
});

it("lists what lies beyond the bounds of a note, and leaves it", async () => {
  put({ "a.txt": "a\n", "b.txt": "too much\n", "c.txt": "c\n", "d.txt": "d\n" });
  // A file that was changed this moment could not be told from one that the command changes.
  await expect.poll(() => Date.now() - statSync(file("d.txt")).ctimeMs, PATIENCE).toBeGreaterThan(100);
  const calm = core;
  core = await start(":memory:", { files: 2, fileBytes: 100, totalBytes: 5 });
  try {
    const ran = await run("echo 2 >> a.txt; echo 2 >> b.txt; echo 2 >> c.txt; echo n > e.txt");
    expect(shown(ran)).toEqual([
      ...[
        "modify a.txt +1 −0",
        "modify b.txt +0 −0 not_kept",
        "modify c.txt +0 −0 not_kept",
        "create e.txt +1 −0 not_kept",
      ],
    ]);
    expect((await undo(ran))[0]).toBe("a.txt restored");
  } finally {
    core = calm;
  }
});

it("leaves an edit of a tool beside a command to the tool", async () => {
  commit({ "a.txt": "a\n", "b.txt": "b\n" });
  const running = run(`echo 2 >> b.txt; while [ ! -e ../go${count} ]; do sleep 0.05; done; echo 3 >> b.txt`);
  await expect.poll(() => read("b.txt"), PATIENCE).toContain("2");
  const { history } = core.features["file-history"].changes;
  const owner = { task: "edit", call: "edit", class: "operator" };
  const change = (path: string, text: string) =>
    history.change({
      owner,
      path,
      access: "write",
      signal: new AbortController().signal,
      content: () => Buffer.from(text),
    });
  await change("a.txt", "edited\n");
  await change("b.txt", "edited\n");
  writeFileSync(`${base}/go${count}`, "");
  const ran = await running;
  expect(shown(ran)).toEqual(["modify b.txt +2 −1 not_kept"]);
});

it("records after a crash what a command did, and says that it may not be the only one (FC1)", async () => {
  commit({ "a.txt": "a\n" });
  const calm = core;
  const store = bench.newStore();
  core = await start(store);
  try {
    // The next core ends the command. Here the crashed one still sees that, and would read and remove its note beside it.
    const crashed = core.features["command-changes"];
    const begin = crashed.begin.bind(crashed);
    crashed.begin = async (command) => {
      await begin(command);
      return { end: () => new Promise(() => {}) };
    };
    const handle = await core.tasks.start({ text: JSON.stringify({ command: "echo 2 >> a.txt; sleep 100" }) });
    await expect.poll(() => read("a.txt"), PATIENCE).toContain("2");
    await bench.crash(core);
    core = await start(store);
    const { changes } = core.features["file-history"];
    expect(await changes.list({ task: handle.id }, 9)).toMatchObject([
      { operation: "modify", path: "a.txt", origin: "command", uncertain: true, reason: undefined },
    ]);
    expect(readdirSync(join(base, "home/notes"))).toEqual([]);
    await core.tasks.cancel(handle.id);
    await (await core.tasks.get(handle.id))!.settled();
    expect(await undo({ task: handle.id, said: "", changes: [] })).toEqual(["a.txt restored"]);
    expect(read("a.txt")).toBe("a\n");
  } finally {
    core = calm;
  }
});
