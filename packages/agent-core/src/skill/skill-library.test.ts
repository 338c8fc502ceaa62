/** Skills in real folders: what is read, what is refused, and how a change is noticed. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock/index.ts";
import type { ReadYaml } from "./parse-skill.ts";
import { SkillLibrary } from "./skill-library.ts";
import { SkillRoot } from "./skill-root.ts";

const readYaml: ReadYaml = (text) => ({
  ok: true,
  values: Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [key, value] = line.split(/: (.*)/);
      return key === undefined || value === undefined ? [] : [[key, value.startsWith("{") ? JSON.parse(value) : value]];
    }),
  ),
});

let folder: string;
let published: { topic: string; data: unknown }[];
let warnings: string[];
let library: SkillLibrary;
const own = () => join(folder, "own");
const bundled = () => join(folder, "bundled");

function write(root: string, name: string, { description = `Of ${name}.`, body = "Do it.", more = "" } = {}): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(
    join(root, name, "SKILL.md"),
    `---\nname: ${name}\ndescription: ${description}\n${more}\n---\n${body}\n`,
  );
}

function opened(): SkillLibrary {
  return new SkillLibrary({
    roots: [
      new SkillRoot({ path: own, origin: "user", readYaml }),
      new SkillRoot({ path: bundled, origin: "bundled", readYaml }),
    ],
    clock: systemClock(),
    bus: { publish: (topic: string, data: unknown) => void published.push({ topic, data }) },
    log: { warn: (message) => void warnings.push(message) },
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skills-"));
  published = [];
  warnings = [];
  library = opened();
});
afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the library", () => {
  it("has the skills of all roots by name, the operator's own before one that ships (K27)", async () => {
    write(bundled(), "tea", { body: "Shipped." });
    write(bundled(), "soup");
    write(own(), "tea", { body: "Mine." });
    write(own(), "bread", { more: 'metadata: {"origin":"learned"}' });
    writeFileSync(join(own(), "README.md"), "no skill");
    mkdirSync(join(own(), "empty"));
    await library.open();
    expect(library.entries.map(({ name, origin }) => [name, origin])).toEqual([
      ["bread", "learned"],
      ["soup", "bundled"],
      ["tea", "user"],
    ]);
    expect(library.skill("tea").body).toBe("Mine.");
    expect([published, warnings]).toEqual([[], []]);
  });

  it("lists what is broken with its fault, which then does nothing", async () => {
    write(own(), "tea", { description: " " });
    write(join(folder, "elsewhere"), "linked");
    symlinkSync(join(folder, "elsewhere", "linked"), join(own(), "linked"));
    mkdirSync(join(own(), "file-linked"));
    symlinkSync(join(folder, "elsewhere", "linked", "SKILL.md"), join(own(), "file-linked", "SKILL.md"));
    write(own(), "large", { body: "x".repeat(64 * 1024) });
    mkdirSync(join(own(), "bytes"));
    writeFileSync(join(own(), "bytes", "SKILL.md"), Buffer.from([0xff, 0xfe, 0xfd]));
    await library.open();
    const faults = Object.fromEntries(library.entries.map(({ name, fault }) => [name, fault]));
    expect(faults).toEqual({
      tea: "description is missing",
      linked: "it is a link, which is not followed",
      "file-linked": expect.stringContaining("not followed"),
      large: "SKILL.md has more than 64 KiB",
      bytes: "SKILL.md is no UTF-8 text",
    });
    expect([library.skills, library.files("linked")]).toEqual([[], []]);
    expect(() => library.skill("tea")).toThrow("is broken: description is missing");
  });

  it("reads files of a skill, and nothing outside of it", async () => {
    write(own(), "tea");
    writeFileSync(join(folder, "secret.txt"), "secret");
    mkdirSync(join(own(), "tea", "references"));
    writeFileSync(join(own(), "tea", "references", "water.md"), "Soft.");
    writeFileSync(join(own(), "tea", "picture.png"), Buffer.from([0x89, 0x50, 0xff, 0]));
    writeFileSync(join(own(), "tea", "large.txt"), "x".repeat(64 * 1024 + 1));
    symlinkSync(join(folder, "secret.txt"), join(own(), "tea", "link.txt"));
    symlinkSync(folder, join(own(), "tea", "out"));
    await library.open();
    expect(library.files("tea").map(({ path }) => path)).toEqual(["large.txt", "picture.png", "references/water.md"]);
    expect(library.read("tea", "references/water.md")).toBe("Soft.");
    for (const path of [
      "../../secret.txt",
      "link.txt",
      "out/secret.txt",
      "/etc/passwd",
      "references",
      "",
      "a//b",
      "x\0",
    ])
      expect(() => library.read("tea", path), path).toThrow(expect.objectContaining({ code: "unreadable" }));
    expect(() => library.read("tea", "large.txt")).toThrow("more than 64 KiB");
    expect(() => library.read("tea", "picture.png")).toThrow("no UTF-8 text");
    expect(() => library.read("tea", "none.md")).toThrow(expect.objectContaining({ code: "unknown" }));
    expect(() => library.read("coffee", "x.md")).toThrow(expect.objectContaining({ code: "unknown" }));
  });

  it("notices what people change, in a root that did not exist too, and publishes it", async () => {
    await library.open();
    write(own(), "tea", { body: "First." });
    await expect.poll(() => library.find("tea")?.skill?.body).toBe("First.");
    write(own(), "tea", { body: "Second." });
    await expect.poll(() => library.find("tea")?.skill?.body).toBe("Second.");
    renameSync(join(own(), "tea"), join(folder, "away"));
    await expect.poll(() => library.find("tea")).toBeUndefined();
    expect(published.map(({ topic, data }) => [topic, data])).toEqual([
      ["skill.changed", { name: "tea", action: "added" }],
      ["skill.changed", { name: "tea", action: "changed" }],
      ["skill.changed", { name: "tea", action: "removed" }],
    ]);
  });

  it("warns once of a root that is none, and has the others", async () => {
    write(bundled(), "soup");
    writeFileSync(own(), "a file");
    await library.open();
    await library.refresh();
    expect(library.entries.map(({ name }) => name)).toEqual(["soup"]);
    expect(warnings).toEqual([expect.stringContaining("it cannot be read (ENOTDIR)")]);
  });
});
