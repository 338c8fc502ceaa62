/** What of projects is reached and what is not, held by descriptors and by checked paths (FE1 to FE7, F3 to F5). */
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
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
import { type Access, Fence, FenceRefusal, ProjectRegistry, ProtectedPlaces, projectAt } from "./index.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "fence-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, content = path): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function fenceOf(
  projects: readonly { name: string; path: string; write?: boolean; noDelete?: boolean; fs?: boolean }[],
  { places = [], holding }: { places?: readonly string[]; holding?: "descriptor" | "checked" } = {},
): Fence {
  const registry = new ProjectRegistry(
    projects.map((project) => projectAt({ ...project, path: join(base, project.path) })),
  );
  const protectedPlaces = new ProtectedPlaces(places.map((place) => join(base, place)));
  return new Fence({
    projects: () => registry,
    places: () => protectedPlaces,
    userHome: base,
    ...(holding && { holding }),
  });
}

/** What is read there, or the code of the refusal. */
async function readThrough(fence: Fence, path: string, project?: string): Promise<string> {
  try {
    await using located = await fence.open({ path, project, for: "read" });
    return (await located.read(1_000_000)).toString();
  } catch (error) {
    if (error instanceof FenceRefusal) return error.code;
    throw error;
  }
}

async function codeOf(fence: Fence, path: string, access: Access, project?: string): Promise<string> {
  const located = await fence.open({ path, project, for: access }).catch((error: FenceRefusal) => error);
  if (located instanceof FenceRefusal) return located.code;
  if (located instanceof Error) throw located;
  await located.close();
  return "reached";
}

/** The descriptors of this process that lead into the test's folder: others come and go by themselves. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(base);
    } catch {
      return false;
    }
  }).length;

describe.each(["descriptor", "checked"] as const)("held by %s", (holding) => {
  const fence = (projects: Parameters<typeof fenceOf>[0], places: readonly string[] = []): Fence =>
    fenceOf(projects, { places, holding });

  test("a path is walked from the root, and nothing leads out of it (FE1)", async () => {
    put("app/src/a.txt", "inside");
    put("canary", "outside");
    symlinkSync("src/a.txt", join(base, "app/inner"));
    symlinkSync(join(base, "app/src"), join(base, "app/absolute"));
    symlinkSync("../canary", join(base, "app/out"));
    symlinkSync(base, join(base, "app/up"));
    symlinkSync("loop", join(base, "app/loop"));
    symlinkSync("inner", join(base, "app/chain"));
    const app = fence([{ name: "app", path: "app" }]);
    const inside = ["src/a.txt", "./src//a.txt", "src/../src/a.txt", "inner", "chain", "absolute/a.txt"];
    for (const path of [...inside, join(base, "app/src/a.txt"), "~/app/src/a.txt", "absolute/../inner"])
      expect([path, await readThrough(app, path)]).toEqual([path, "inside"]);
    const outside = [
      "..",
      "../canary",
      "src/../../canary",
      "out",
      "up/canary",
      "absolute/../../canary",
      "/etc/passwd",
      "~/canary",
    ];
    for (const path of outside) expect([path, await readThrough(app, path)]).toEqual([path, "fence.outside"]);
    for (const path of ["loop", "nothing", "src/a.txt/b", "x".repeat(300)])
      expect([path.slice(0, 20), await readThrough(app, path)]).toEqual([path.slice(0, 20), "fence.missing"]);
    for (const path of ["", "a\0b", "x/".repeat(3_000)]) expect(await readThrough(app, path)).toBe("fence.bad-path");
  });

  test("only regular files are read, and nothing else is waited for (FE2)", async () => {
    mkdirSync(join(base, "app"));
    execFileSync("mkfifo", [join(base, "app/pipe")]);
    const app = fence([{ name: "app", path: "app" }]);
    expect(await readThrough(app, "pipe")).toBe("fence.not-a-file");
    expect(await readThrough(app, ".")).toBe("fence.not-a-file");
    expect(await codeOf(app, "pipe", "list")).toBe("fence.not-a-folder");
    expect(await codeOf(app, "pipe", "delete")).toBe("fence.not-a-file");
  });

  test("a file is replaced whole, with its mode, and a hard link is broken (FE3)", async () => {
    const file = put("app/a.txt", "before");
    linkSync(file, join(base, "canary"));
    execFileSync("chmod", ["750", file]);
    const app = fence([{ name: "app", path: "app" }]);
    await using located = await app.open({ path: "a.txt", for: "write" });
    await located.replace(Buffer.from("after"));
    expect([readFileSync(file, "utf8"), readFileSync(join(base, "canary"), "utf8")]).toEqual(["after", "before"]);
    expect(statSync(file).mode & 0o777).toBe(0o750);
    expect(readdirSync(join(base, "app"))).toEqual(["a.txt"]);
  });

  test("a new file is made with the folders it needs, and replaces none (FE3)", async () => {
    mkdirSync(join(base, "app"));
    const app = fence([{ name: "app", path: "app" }]);
    await using first = await app.open({ path: "a/b/c.txt", for: "write" });
    await using second = await app.open({ path: "d.txt", for: "write" });
    expect([first.kind, first.path, second.kind]).toEqual(["missing", "a/b/c.txt", "missing"]);
    put("app/d.txt", "another's");
    await first.replace(Buffer.from("new"));
    await expect(second.replace(Buffer.from("mine"))).rejects.toMatchObject({ code: "fence.changed" });
    expect(readFileSync(join(base, "app/a/b/c.txt"), "utf8")).toBe("new");
    expect(readFileSync(join(base, "app/d.txt"), "utf8")).toBe("another's");
  });

  test("what changed since it was found is neither replaced nor removed (FE3)", async () => {
    put("app/a.txt", "one");
    const app = fence([{ name: "app", path: "app" }]);
    await using toWrite = await app.open({ path: "a.txt", for: "write" });
    await using toDelete = await app.open({ path: "a.txt", for: "delete" });
    put("app/a.txt", "another's words");
    await expect(toWrite.replace(Buffer.from("mine"))).rejects.toMatchObject({ code: "fence.changed" });
    await expect(toDelete.remove()).rejects.toMatchObject({ code: "fence.changed" });
    expect(readFileSync(join(base, "app/a.txt"), "utf8")).toBe("another's words");
  });

  test("what is read is what was found, whatever its name leads to by now (FE2)", async () => {
    put("canary");
    put("app/a.txt", "inside");
    const app = fence([{ name: "app", path: "app" }]);
    await using located = await app.open({ path: "a.txt", for: "read" });
    rmSync(join(base, "app/a.txt"));
    symlinkSync("../canary", join(base, "app/a.txt"));
    const read = await located.read(100).then(String, ({ code }: { code: string }) => code);
    expect(["inside", "fence.changed", "fence.unreadable"]).toContain(read);
  });

  test("a link is removed itself, never what it names", async () => {
    put("canary");
    mkdirSync(join(base, "app"));
    symlinkSync("../canary", join(base, "app/out"));
    const app = fence([{ name: "app", path: "app" }]);
    await using located = await app.open({ path: "out", for: "delete" });
    await located.remove();
    expect([readdirSync(join(base, "app")), readFileSync(join(base, "canary"), "utf8")]).toEqual([[], "canary"]);
  });

  test("protected places are missing by every way that leads there (FE4, F5)", async () => {
    put("all/home/config/secret.txt", "secret");
    put("all/home/workspace/a.txt", "work");
    put("all/a.txt", "a");
    symlinkSync("home", join(base, "all/link"));
    linkSync(join(base, "all/home/config/secret.txt"), join(base, "all/hard"));
    const all = fence(
      [
        { name: "all", path: "all" },
        { name: "workspace", path: "all/home/workspace" },
      ],
      ["all/home"],
    );
    for (const path of ["home", "home/config/secret.txt", "link/config/secret.txt", "hard", "home/workspace/a.txt"])
      for (const access of ["read", "list", "write", "delete"] as const)
        expect([path, access, await codeOf(all, path, access, "all")]).toEqual([path, access, "fence.missing"]);
    expect(await readThrough(all, "a.txt", "workspace")).toBe("work");
    await using root = await all.open({ path: ".", project: "all", for: "list" });
    expect((await root.list(100)).entries.map(({ name }) => name).sort()).toEqual(["a.txt", "hard", "link"]);
  });

  test("a project reads its own third-party packages, also where the program's are the same files (FE4)", async () => {
    const kept = put("program/node_modules/left-pad/index.js", "pad");
    put("app/node_modules/left-pad/readme.md");
    linkSync(kept, join(base, "app/node_modules/left-pad/index.js"));
    linkSync(put("program/main.js", "main"), join(base, "app/hard"));
    const fence = fenceOf([{ name: "app", path: "app" }], { places: ["program", "program/node_modules"] });
    expect(await readThrough(fence, "node_modules/left-pad/index.js")).toBe("pad");
    expect(await readThrough(fence, "hard")).toBe("fence.missing");
    expect(await readThrough(fence, kept)).toMatch(/^fence\./);
  });

  test("the deepest of overlapping roots decides, whichever was named (FE5)", async () => {
    put("all/inner/a.txt", "a");
    put("all/b.txt", "b");
    put("all/hidden/c.txt", "c");
    const projects = fence([
      { name: "all", path: "all" },
      { name: "inner", path: "all/inner", write: false },
      { name: "kept", path: "all/kept" },
      { name: "hidden", path: "all/hidden", fs: false },
    ]);
    expect(await codeOf(projects, "b.txt", "write", "all")).toBe("reached");
    expect(await codeOf(projects, "inner/a.txt", "write", "all")).toBe("fence.read-only");
    expect(await codeOf(projects, "a.txt", "delete", "inner")).toBe("fence.read-only");
    expect(await codeOf(projects, "hidden/c.txt", "read", "all")).toBe("fence.missing");
    await using located = await projects.open({ project: "all", path: "inner/a.txt", for: "read" });
    expect([located.project.name, located.named.name, located.path]).toEqual(["inner", "all", "a.txt"]);
  });

  test("names that hold secrets are denied before existence is looked at, however they are spelt (FE6, F4)", async () => {
    put("app/real/a.txt");
    symlinkSync(".env", join(base, "app/innocent"));
    const app = fence([{ name: "app", path: "app" }]);
    const names = [
      ".env",
      ".ENV.local",
      ".e\u200bnv",
      ".env.",
      "k.PEM",
      ".ssh/x",
      "real/../.aws/x",
      "id_rsa",
      "innocent",
    ];
    for (const path of names) expect([path, await codeOf(app, path, "read")]).toEqual([path, "fence.denied"]);
    for (const path of [".env.example", "id_rsa.pub", "environment", "secrets.txt"])
      expect([path, await codeOf(app, path, "read")]).toEqual([path, "fence.missing"]);
  });

  test("nothing of git's own is written, and its settings are not read (FE7)", async () => {
    put("app/.git/HEAD", "ref: refs/heads/main");
    put("app/.git/config");
    put("app/.git/modules/x/config");
    const app = fence([{ name: "app", path: "app" }]);
    expect(await readThrough(app, ".git/HEAD")).toBe("ref: refs/heads/main");
    for (const path of [".git/config", ".git/modules/x/config"])
      expect(await readThrough(app, path)).toBe("fence.denied");
    for (const path of [".git/HEAD", ".git/hooks/pre-commit", ".GIT/x", ".g\u200cit/x", "sub/.git"])
      expect([path, await codeOf(app, path, "write")]).toEqual([path, "fence.denied"]);
  });

  test("a refusal names the path as given and the project, and never where a link leads (F3)", async () => {
    put("canary");
    mkdirSync(join(base, "app"));
    symlinkSync("../canary", join(base, "app/out"));
    const app = fence([{ name: "app", path: "app" }]);
    await expect(app.open({ path: "./out", for: "read" })).rejects.toThrow(
      /^"\.\/out" in project app: a link leads out of the project$|^"\.\/out" in project app: it leads out of the project$/,
    );
    const two = fence([
      { name: "app", path: "app" },
      { name: "Other", path: "." },
    ]);
    await expect(two.open({ path: "x", for: "read" })).rejects.toThrow(/say in which project "x" is: app, Other/);
    await expect(two.open({ path: "x", project: "none", for: "read" })).rejects.toThrow(
      /no project "none": app, Other/,
    );
    expect(await codeOf(two, "app", "list", "OTHER")).toBe("reached");
  });

  test("a root that is moved away and linked elsewhere is not followed", async () => {
    put("app/a.txt", "inside");
    put("outside/a.txt", "outside");
    const app = fence([{ name: "app", path: "app" }]);
    renameSync(join(base, "app"), join(base, "moved"));
    expect(await readThrough(app, "a.txt")).toBe("fence.missing");
    symlinkSync("outside", join(base, "app"));
    expect(await readThrough(app, "a.txt")).toMatch(/^fence\.(missing|changed)$/);
    rmSync(join(base, "app"));
    put("app/a.txt", "made again");
    expect(await readThrough(app, "a.txt")).toBe("made again");
  });

  test("a file larger than asked for is refused, and every descriptor is given back", async () => {
    put("app/deep/a.txt", "x".repeat(2_000));
    put("app/.env");
    const app = fence([{ name: "app", path: "app" }]);
    await using located = await app.open({ path: "deep/a.txt", for: "read" });
    if (holding === "descriptor") expect(openFiles()).toBeGreaterThan(0);
    await expect(located.read(1_999)).rejects.toMatchObject({ code: "fence.too-large" });
    expect((await located.read(2_000)).length).toBe(2_000);
    await located.close();
    for (const path of ["deep/../..", "deep/none", "deep/a.txt/x", ".env", "deep"]) await codeOf(app, path, "read");
    expect(openFiles()).toBe(0);
  });
});

test("files of the kernel's are missing, also where a mount brings them into a project", async () => {
  const fence = new Fence({
    projects: () => new ProjectRegistry([projectAt({ name: "root", path: "/" })]),
    places: () => new ProtectedPlaces([]),
  });
  for (const path of ["/proc/self/environ", "/proc/self/root/etc/passwd", "/sys/kernel"])
    expect(await codeOf(fence, path, "read")).toBe("fence.missing");
});
