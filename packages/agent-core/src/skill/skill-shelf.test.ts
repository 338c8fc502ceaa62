/** Changing skills: versions, hand edits, calls made once, crashes at every commit, and roots that cannot be written (K28, KM10). */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock/index.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import type { ReadYaml } from "./parse-skill.ts";
import { SkillLibrary } from "./skill-library.ts";
import { SkillRoot } from "./skill-root.ts";
import { SkillShelf } from "./skill-shelf.ts";
import { type TextChange, TextVersions } from "./text-versions.ts";

/** Reads what `renderSkill` writes: a line a key, a value of JSON or plain. */
const readYaml: ReadYaml = (text) => ({
  ok: true,
  values: Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, plainOf(value)]];
    }),
  ),
});

function plainOf(value: string): unknown {
  return /^["[{]|^(?:true|false|\d+)$/.test(value) ? JSON.parse(value) : value;
}

const BY_AGENT: TextChange = { author: "agent", reason: "It helps.", session: "talk", task: "t" };
const BY_OPERATOR: TextChange = { author: "operator", reason: "" };
const TEA = { description: "Makes tea: green, black.", body: "Boil.", tools: ["kettle"], userFacing: true };

let folder: string;
let warnings: string[];
let db: Database;
let library: SkillLibrary;
let shelf: SkillShelf;
/** Fails the commits with this label. */
let failing: string | undefined;
const root = () => join(folder, "own");
const file = (name: string) => join(root(), name, "SKILL.md");
const text = (name: string) => readFileSync(file(name), "utf8");

async function open(): Promise<void> {
  db = await openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, "skills.db")}`,
    schema: "skills",
    owner: { name: "test" },
  });
  const guarded: Database = new Proxy(db, {
    get(target, key) {
      if (key === "commit")
        return (command: Parameters<Database["commit"]>[0]) =>
          command.label === failing ? Promise.reject(new Error("killed")) : target.commit(command);
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const own = new SkillRoot({ path: root, origin: "user", readYaml });
  library = new SkillLibrary({
    roots: [own, new SkillRoot({ path: () => join(folder, "bundled"), origin: "bundled", readYaml })],
    onChange: () => void shelf.reconcile(),
    ...{ clock: systemClock(), bus: { publish: () => {} }, log: { warn: (line) => void warnings.push(line) } },
  });
  shelf = new SkillShelf({
    ...{
      root: own,
      library,
      readYaml,
      exists: () => true,
      makeFolder: (path: string) => void mkdirSync(path, { recursive: true }),
      log: { warn: (line) => void warnings.push(line) },
    },
    versions: new TextVersions({ store: { get: async () => guarded, close: () => db.close() }, clock: systemClock() }),
  });
  await library.open();
  await shelf.reconcile();
}

async function close(): Promise<void> {
  await library.close();
  await shelf.close();
  await db.close();
}

/** As a process that begins anew after a crash. */
async function restart(): Promise<void> {
  failing = undefined;
  await close();
  await open();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "shelf-"));
  warnings = [];
  failing = undefined;
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const versions = async (name: string) =>
  (await shelf.versions(name)).map(({ no, author, chars }) => [no, author, chars === undefined ? "deleted" : "text"]);

describe("the shelf of skills", () => {
  it("saves, changes, deletes and restores, each a version; keys of others stay", async () => {
    const head = { metadata: { origin: "learned" }, license: "MIT" };
    expect(await shelf.create("tea", TEA, BY_AGENT, head)).toEqual({ name: "tea", version: 1 });
    expect(library.find("tea")).toMatchObject({
      origin: "learned",
      skill: { description: TEA.description, body: "Boil.", tools: ["kettle"], userFacing: true, slash: "tea", head },
    });
    expect(await shelf.update("tea", { body: "Boil longer." }, BY_OPERATOR)).toEqual({ name: "tea", version: 2 });
    expect(await shelf.update("tea", { body: "Boil longer." }, BY_OPERATOR)).toEqual({ name: "tea", version: 2 });
    expect(library.skill("tea")).toMatchObject({ body: "Boil longer.", tools: ["kettle"], head: { license: "MIT" } });
    writeFileSync(join(root(), "tea", "notes.md"), "kept");
    await shelf.remove("tea", BY_OPERATOR);
    expect([library.find("tea"), existsSync(file("tea"))]).toEqual([undefined, false]);
    expect(await shelf.restore("tea", 1, BY_OPERATOR)).toEqual({ name: "tea", version: 4 });
    expect([library.skill("tea").body, library.files("tea").length]).toEqual(["Boil.", 1]);
    expect(await versions("tea")).toEqual([
      [4, "operator", "text"],
      [3, "operator", "deleted"],
      [2, "operator", "text"],
      [1, "agent", "text"],
    ]);
    expect(await shelf.version("tea", 2)).toContain("Boil longer.");
    for (const no of [3, 9])
      await expect(shelf.restore("tea", no, BY_OPERATOR)).rejects.toMatchObject({ code: "unknown" });
  });

  it("makes hand edits the newest version, and a file that was deleted by hand too", async () => {
    await shelf.create("tea", TEA, BY_AGENT);
    writeFileSync(file("tea"), "---\nname: tea\ndescription: Mine.\n---\nBy hand.\n");
    await library.refresh();
    await shelf.reconcile();
    expect(await versions("tea")).toEqual([
      [2, "hand", "text"],
      [1, "agent", "text"],
    ]);
    await shelf.update("tea", { body: "After." }, BY_AGENT);
    expect(text("tea")).toContain("description: Mine.");
    rmSync(join(root(), "tea"), { recursive: true });
    await restart();
    expect((await versions("tea"))[0]).toEqual([4, "hand", "deleted"]);
    expect(await shelf.restore("tea", 2, BY_OPERATOR)).toEqual({ name: "tea", version: 5 });
    expect(text("tea")).toContain("By hand.");
  });

  it("carries a call out once, whatever it is asked again (R12)", async () => {
    const call = { ...BY_AGENT, call: "c1" };
    expect(await shelf.create("tea", TEA, call)).toEqual({ name: "tea", version: 1 });
    await restart();
    expect(await shelf.create("tea", TEA, call)).toEqual({ name: "tea", version: 1 });
    await shelf.remove("tea", { ...BY_AGENT, call: "c2" });
    await shelf.create("tea", { ...TEA, body: "Anew." }, { ...BY_AGENT, call: "c3" });
    await shelf.remove("tea", { ...BY_AGENT, call: "c2" });
    expect(library.skill("tea").body).toBe("Anew.");
  });

  it("keeps file and version together where a crash comes between them (KM10)", async () => {
    await shelf.create("tea", TEA, BY_AGENT);
    // Before the version is on the disk nothing has changed.
    failing = "skills.version";
    await expect(shelf.update("tea", { body: "Second." }, BY_AGENT)).rejects.toThrow("killed");
    await restart();
    expect([library.skill("tea").body, (await versions("tea")).length]).toEqual(["Boil.", 1]);
    // After it the file follows at the next start, whether it was placed or not.
    failing = "skills.written";
    await expect(shelf.update("tea", { body: "Third." }, { ...BY_AGENT, call: "c" })).rejects.toThrow("killed");
    await restart();
    expect([library.skill("tea").body, (await versions("tea")).length]).toEqual(["Third.", 2]);
    failing = "skills.written";
    await expect(shelf.update("tea", { body: "Fourth." }, BY_AGENT)).rejects.toThrow("killed");
    writeFileSync(file("tea"), await shelf.version("tea", 2));
    await restart();
    expect([library.skill("tea").body, (await versions("tea")).length]).toEqual(["Fourth.", 3]);
    failing = "skills.written";
    await expect(shelf.remove("tea", BY_AGENT)).rejects.toThrow("killed");
    mkdirSync(join(root(), "tea"));
    writeFileSync(file("tea"), "---\nname: tea\ndescription: Mine.\n---\nBy hand meanwhile.\n");
    await restart();
    expect(library.skill("tea").body).toBe("By hand meanwhile.");
    expect((await versions("tea"))[0]).toEqual([5, "hand", "text"]);
  });

  it("refuses what is known, read-only, unknown, or no skill, and changes nothing", async () => {
    mkdirSync(join(folder, "bundled", "soup"), { recursive: true });
    writeFileSync(join(folder, "bundled", "soup", "SKILL.md"), "---\nname: soup\ndescription: Soup.\n---\nCook.\n");
    await library.refresh();
    await shelf.create("tea", TEA, BY_AGENT);
    const refused = async (work: Promise<unknown>, code: string) =>
      expect(await work.catch((error: unknown) => error)).toMatchObject({ code });
    await refused(shelf.create("tea", TEA, BY_AGENT), "known");
    await refused(shelf.create("soup", TEA, BY_AGENT), "known");
    await refused(shelf.create("brew", { ...TEA, slash: "/tea" }, BY_AGENT), "known");
    await refused(shelf.update("soup", { body: "x" }, BY_AGENT), "read_only");
    await refused(shelf.remove("soup", BY_AGENT), "read_only");
    await refused(shelf.remove("coffee", BY_AGENT), "unknown");
    await refused(shelf.versions("coffee"), "unknown");
    for (const name of ["", "Tea", "../x", "a/b", "x".repeat(65)])
      await refused(shelf.create(name, TEA, BY_AGENT), "invalid");
    for (const wrong of [
      { ...TEA, description: " " },
      { ...TEA, body: "" },
      { ...TEA, description: "x".repeat(1_025) },
      { ...TEA, slash: "no command" },
      { ...TEA, tools: ["a b"] },
      { ...TEA, body: "x".repeat(64 * 1024) },
    ])
      await refused(shelf.create("coffee", wrong, BY_AGENT), "invalid");
    expect(library.entries.map(({ name }) => name)).toEqual(["soup", "tea"]);
    expect(await versions("tea")).toHaveLength(1);
  });

  it("writes through no link and into no folder that cannot be written", async () => {
    mkdirSync(join(folder, "elsewhere"));
    mkdirSync(root(), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), join(root(), "tea"));
    await expect(shelf.create("tea", TEA, BY_AGENT)).rejects.toMatchObject({ code: "unwritable" });
    expect(existsSync(join(folder, "elsewhere", "SKILL.md"))).toBe(false);
    rmSync(root(), { recursive: true });
    writeFileSync(root(), "a file");
    await expect(shelf.create("jam", TEA, BY_AGENT)).rejects.toMatchObject({ code: "unwritable" });
    rmSync(root());
    expect(await shelf.create("jam", TEA, BY_AGENT)).toEqual({ name: "jam", version: 1 });
  });

  it("keeps the newest fifty versions", async () => {
    await shelf.create("tea", TEA, BY_AGENT);
    for (let i = 2; i <= 53; i++) await shelf.update("tea", { body: `Version ${i}.` }, BY_AGENT);
    const kept = await shelf.versions("tea");
    expect([kept.length, kept[0]?.no, kept.at(-1)?.no]).toEqual([50, 53, 4]);
  });
});
