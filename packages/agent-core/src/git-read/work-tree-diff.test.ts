/** Diffs of work trees, over real repositories (F25, GR1 to GR3). */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt, type ReachableProject } from "../fence/index.ts";
import { CapturedOutput, type ProcessEnd } from "../process/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type GitPrograms, type WorkTreeDiff, workTreeDiff } from "./index.ts";

let base: string;
let top: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "git-read-")));
  top = join(base, "app");
  mkdirSync(top);
  git("init", "-q", "-b", "main");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const HERMETIC = { ...process.env, HOME: "/nonexistent", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function gitIn(folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
  return execFileSync("git", [...who, ...args], { cwd: folder, env: HERMETIC, stdio: "pipe" }).toString();
}
const git = (...args: string[]): string => gitIn(top, ...args);

function put(path: string, content: string | Buffer): void {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function commit(files: { readonly [path: string]: string | Buffer }): void {
  for (const [path, content] of Object.entries(files)) put(path, content);
  git("add", "-A", "-f");
  git("commit", "-q", "-m", "one");
}

/** Real processes without a store. */
const programs: GitPrograms = {
  async start({ argv, cwd, env, signal, onOutput }) {
    const [program, ...args] = argv;
    const child = spawn(program, args, { cwd, env, signal, stdio: ["pipe", "pipe", "pipe"] });
    const output = new CapturedOutput(4_096);
    const errors = new CapturedOutput(4_096);
    child.stdout.on("data", (chunk: Buffer) => onOutput?.(chunk, "stdout"));
    child.stderr.on("data", (chunk: Buffer) => errors.add(chunk));
    child.on("error", () => {});
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once("close", (code, ending) => {
        const times = { cause: "exit", timedOut: false, durationMs: 0 } as const;
        resolve({ code, signal: ending, ...times, output, errors });
      });
    });
    return { stdin: child.stdin, ended };
  },
};

/** The diff of a project whose root is the repository's top, or a folder in it. */
async function diffOf(path = "app", places: readonly string[] = []): Promise<WorkTreeDiff> {
  const project = projectAt({ name: "app", path: join(base, path) }) as ReachableProject;
  const registry = new ProjectRegistry([project]);
  const protectedPlaces = new ProtectedPlaces(places.map((place) => join(base, place)));
  const fence = new Fence({ projects: () => registry, places: () => protectedPlaces });
  const environment = () => ({ PATH: process.env.PATH ?? "" });
  const scratch = join(base, "scratch");
  const found = await workTreeDiff({ fence, programs, clock: manualClock(0), environment, scratch }, project);
  expect(readdirSync(scratch)).toEqual([]);
  return found!;
}

const brief = ({ files }: WorkTreeDiff): readonly string[] =>
  files.map((one) => `${one.status} ${one.oldPath ?? ""}${one.path} ${one.additions}/${one.deletions}`);

describe("the diff of a work tree (F25)", () => {
  test("shows what git shows, staged or not, and untracked files as added", async () => {
    commit({ "a.txt": "a\nb\nc\n", "gone.txt": "x\n", "old name.txt": "1\n2\n3\n4\n5\n6\n", "same.txt": "same\n" });
    put("a.txt", "a\nB\nc\n");
    rmSync(join(top, "gone.txt"));
    git("mv", "old name.txt", "new.txt");
    put("staged.txt", "s\n");
    git("add", "staged.txt");
    put("sub/untracked.txt", "u\nv");
    const shown = await diffOf();
    expect(shown).toMatchObject({ head: git("rev-parse", "HEAD").trim(), branch: "main", truncated: false });
    expect(brief(shown)).toEqual([
      "M a.txt 1/1",
      "D gone.txt 0/1",
      "R old name.txtnew.txt 0/0",
      "A staged.txt 1/0",
      "? sub/untracked.txt 2/0",
    ]);
    const gits = git("diff", "-M", "HEAD", "--", ".").replaceAll(/^index .*\n/gm, "");
    expect(shown.patch.replaceAll(/^index .*\n/gm, "")).toBe(
      `${gits}diff --git a/sub/untracked.txt b/sub/untracked.txt\nnew file mode 100644\n--- /dev/null\n` +
        "+++ b/sub/untracked.txt\n@@ -0,0 +1,2 @@\n+u\n+v\n\\ No newline at end of file\n",
    );
  });

  test("its patch applies: names, modes, links and line ends are kept", async () => {
    commit({
      'q"uote\n.txt': "1\n",
      "run.sh": "echo\n",
      "crlf.txt": "a\r\nb\r\n",
      "was-file": "text\n",
      "ünï.txt": "1\n",
    });
    symlinkSync("run.sh", join(top, "link"));
    git("add", "-A");
    git("commit", "-qm", "two");
    const before = git("rev-parse", "HEAD").trim();
    put('q"uote\n.txt', "2\n");
    chmodSync(join(top, "run.sh"), 0o755);
    put("crlf.txt", "a\r\nB\r\n");
    put("ünï.txt", "2\n");
    rmSync(join(top, "was-file"));
    symlinkSync("crlf.txt", join(top, "was-file"));
    rmSync(join(top, "link"));
    symlinkSync("/etc/hostname", join(top, "link"));
    put("tab\tuntracked", "t\n");
    const { patch, files } = await diffOf();
    expect(files.map(({ status }) => status).join("")).toBe("MMMMMM?");
    expect(patch).not.toContain(readFileSync("/etc/hostname", "utf8").trim());
    const copy = join(base, "copy");
    gitIn(base, "clone", "-q", top, copy);
    writeFileSync(join(base, "patch"), patch);
    gitIn(copy, "checkout", "-q", before);
    gitIn(copy, "apply", "--index", join(base, "patch"));
    git("add", "-A");
    expect(gitIn(copy, "write-tree")).toBe(git("write-tree"));
  });

  test("names secret-like files, old or new, and shows nothing of them", async () => {
    commit({ ".env": "KEY=canary-1\n", "moved.pem": "canary-2\nx\ny\nz\n", "plain.txt": "canary-3\nx\ny\nz\n" });
    put(".env", "KEY=canary-4\n");
    git("mv", "moved.pem", "moved.txt");
    git("mv", "plain.txt", "plain.key");
    put("secrets.yaml", "canary-5\n");
    put("staged.p12", "canary-6\n");
    git("add", "staged.p12");
    const shown = await diffOf();
    expect(JSON.stringify(shown)).not.toContain("canary");
    for (const file of shown.files) expect(file).toMatchObject({ denied: true, additions: null, deletions: null });
    expect(shown.files.map(({ path, denied }) => [path, denied])).toEqual(
      expect.arrayContaining([
        [".env", true],
        ["secrets.yaml", true],
        ["staged.p12", true],
        ["moved.txt", true],
      ]),
    );
  });

  test("marks what is binary or too large, and counts no lines of it", async () => {
    commit({ "b.bin": Buffer.from([0, 1, 2]), "big.txt": "x\n", "latin.txt": "x\n" });
    put("b.bin", Buffer.from([0, 9]));
    put("big.txt", "y".repeat(8_388_609));
    put("new.bin", Buffer.from([1, 0]));
    put("new-latin", Buffer.from([0xe9, 0x0a]));
    put("new-big.txt", "z".repeat(262_145));
    const { files, patch } = await diffOf();
    const of = (path: string) => files.find((one) => one.path === path);
    expect(of("b.bin")).toMatchObject({ status: "M", binary: true, additions: null });
    expect(of("new.bin")).toMatchObject({ status: "?", binary: true, additions: null });
    expect(of("new-latin")).toMatchObject({ binary: true });
    expect(of("big.txt")).toMatchObject({ status: "M", tooLarge: true, additions: null });
    expect(of("new-big.txt")).toMatchObject({ status: "?", tooLarge: true, additions: null });
    expect(patch).not.toMatch(/zzz|yyy/);
  });

  test("without a commit every file is untracked; without a branch there is none", async () => {
    put("a.txt", "1\n");
    git("add", "a.txt");
    put("b.txt", "1\n");
    const first = await diffOf();
    expect(first).toMatchObject({ head: null, branch: "main" });
    expect(brief(first)).toEqual(["? a.txt 1/0", "? b.txt 1/0"]);
    commit({ "c.txt": "1\n" });
    git("checkout", "-q", "--detach");
    git("pack-refs", "--all");
    expect(await diffOf()).toMatchObject({ head: git("rev-parse", "HEAD").trim(), branch: null, files: [], patch: "" });
    git("checkout", "-q", "main");
    expect(await diffOf()).toMatchObject({ head: git("rev-parse", "HEAD").trim(), branch: "main" });
  });

  test("of a folder in a repository: what lies below it, by its own paths", async () => {
    commit({
      "outside.txt": "1\n",
      "sub dir/in.txt": "1\n",
      "sub dir/out.txt": "1\n2\n3\n4\n",
      ".gitignore": "*.log\n",
    });
    put("outside.txt", "2\n");
    put("sub dir/in.txt", "2\n");
    put("sub dir/new.txt", "n\n");
    put("sub dir/ignored.log", "n\n");
    put("beside.txt", "n\n");
    const shown = await diffOf("app/sub dir");
    expect(brief(shown)).toEqual(["M in.txt 1/1", "? new.txt 1/0"]);
    expect(shown.patch).toContain("--- a/in.txt\n+++ b/in.txt");
    expect(shown.patch).not.toContain("outside");
  });

  test("is cut at the border of a file at 1 MiB and at 5,000 files", async () => {
    commit({ "a.txt": "1\n" });
    for (let i = 0; i < 6; i++) put(`part-${i}.txt`, `${String(i).repeat(199)}\n`.repeat(1_200));
    const cut = await diffOf();
    expect(cut.files).toHaveLength(6);
    expect([
      cut.truncated,
      cut.patch.match(/^diff --git/gm)?.length,
      cut.patch.endsWith(`+${"3".repeat(199)}\n`),
    ]).toEqual([...[true, 4, true]]);
    for (let i = 0; i < 5_001; i++) put(`many/${i}.pem`, "");
    const many = await diffOf();
    expect([many.files.length, many.truncated]).toEqual([5_000, true]);
  });

  test("does not enter repositories in it, and leaves out what is never reached", async () => {
    commit({ "a.txt": "1\n" });
    for (const nested of ["nested", "vendored"]) {
      mkdirSync(join(top, nested));
      gitIn(join(top, nested), "init", "-q");
      put(`${nested}/inner.txt`, "canary\n");
      gitIn(join(top, nested), "add", "-A");
      gitIn(join(top, nested), "commit", "-qm", "inner");
    }
    git("-c", "advice.addEmbeddedRepo=false", "add", "vendored");
    git("commit", "-qm", "with a module");
    put("vendored/inner.txt", "changed canary\n");
    put("home/store.db", "canary\n");
    const shown = await diffOf("app", ["app/home"]);
    expect(shown.files).toMatchObject([{ path: "nested/", status: "?", reason: "a repository of its own" }]);
    expect(shown.patch).toBe("");
  });

  test("sees a change made in the moment of the commit", async () => {
    commit({ "a.txt": "one\n" });
    const index = statSync(join(top, ".git/index"));
    put("a.txt", "two\n");
    execFileSync("touch", ["-d", `@${index.mtimeMs / 1_000}`, join(top, "a.txt")]);
    expect(brief(await diffOf())).toEqual(["M a.txt 1/1"]);
  });

  test("shows a conflict of a merge as the file is", async () => {
    commit({ "a.txt": "base\n" });
    git("checkout", "-qb", "other");
    commit({ "a.txt": "theirs\n" });
    git("checkout", "-q", "main");
    commit({ "a.txt": "ours\n" });
    expect(() => git("merge", "-q", "other")).toThrow();
    const { files, patch } = await diffOf();
    expect(files).toMatchObject([{ path: "a.txt", status: "M", additions: 4 }]);
    expect(patch).toContain("+<<<<<<< HEAD");
  });
});

describe("a repository that lies elsewhere (F25)", () => {
  test("counts where it points back: a linked work tree, a submodule", async () => {
    commit({ "a.txt": "1\n" });
    const linked = join(base, "linked");
    git("worktree", "add", "-q", "-b", "side", linked);
    writeFileSync(join(linked, "a.txt"), "2\n");
    expect(await diffOf("linked")).toMatchObject({ branch: "side", files: [{ path: "a.txt", status: "M" }] });
    const outer = join(base, "outer");
    mkdirSync(outer);
    gitIn(outer, "init", "-q");
    gitIn(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", top, "module");
    writeFileSync(join(outer, "module/a.txt"), "3\n");
    expect(await diffOf("outer/module")).toMatchObject({ files: [{ path: "a.txt", status: "M" }] });
  });

  test("does not count where it does not, and no objects are borrowed from outside", async () => {
    commit({ "a.txt": "canary\n" });
    const thief = join(base, "thief");
    mkdirSync(thief);
    for (const target of [join(top, ".git"), "../app/.git", "/nonexistent", "\0"]) {
      writeFileSync(join(thief, ".git"), `gitdir: ${target}\n`);
      await expect(diffOf("thief")).rejects.toMatchObject({ code: "git.unreadable" });
    }
    rmSync(join(thief, ".git"));
    symlinkSync(join(top, ".git"), join(thief, ".git"));
    await expect(diffOf("thief")).rejects.toMatchObject({ code: "git.unreadable" });
    rmSync(join(thief, ".git"));
    gitIn(thief, "init", "-q");
    writeFileSync(join(thief, ".git/HEAD"), git("rev-parse", "HEAD"));
    writeFileSync(join(thief, ".git/objects/info/alternates"), `${join(top, ".git/objects")}\n`);
    await expect(diffOf("thief")).rejects.toMatchObject({ code: "git.unreadable" });
    rmSync(join(thief, ".git/objects"), { recursive: true });
    symlinkSync(join(top, ".git/objects"), join(thief, ".git/objects"));
    await expect(diffOf("thief")).rejects.toMatchObject({ code: "git.unreadable" });
  });
});

describe("reading a repository", () => {
  test("changes nothing of it (GR3)", async () => {
    commit({ "a.txt": "1\n", "b.txt": "1\n" });
    put("a.txt", "2\n");
    put("c.txt", "2\n");
    const digest = (): string => {
      const hash = createHash("sha256");
      for (const name of readdirSync(join(top, ".git"), { recursive: true, encoding: "utf8" }).sort()) {
        const stat = statSync(join(top, ".git", name));
        hash.update(`${name} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(join(top, ".git", name), "hex") : ""}\n`);
      }
      return hash.digest("hex");
    };
    const before = digest();
    await diffOf();
    expect(digest()).toBe(before);
  });

  test("that is broken says so without naming a path", async () => {
    commit({ "a.txt": "1\n" });
    put("a.txt", "2\n");
    renameSync(join(top, ".git/objects"), join(top, ".git/gone"));
    await expect(diffOf()).rejects.toMatchObject({ code: "git.unreadable" });
    mkdirSync(join(top, ".git/objects"));
    const error = await diffOf().catch((one: Error) => one);
    expect(error).toMatchObject({ code: "git.unreadable", message: expect.stringContaining("git cannot read it") });
    expect((error as Error).message).not.toContain(base);
    writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/../../../../etc/passwd\n");
    await expect(diffOf()).rejects.toMatchObject({ code: "git.unreadable" });
  });
});
