/**
 * A folder of skills. Folders are opened from the one above them and links are not followed, so nothing that a skill
 * names leads out of it; the root itself is the operator's choice and may be a link.
 */
import { closeSync, fstatSync, lstatSync, readdirSync, readSync } from "node:fs";
import { setImmediate as pause } from "node:timers/promises";
import { kindOf, OpenFolder } from "../tree-walk/index.ts";
import { parseSkill, type ReadYaml } from "./parse-skill.ts";
import { SKILL_LIMITS, type SkillEntry, type SkillOrigin } from "./skill.ts";
import { SkillError } from "./skill-error.ts";

/** Milliseconds that a scan works before others have their turn. */
const BITE_MS = 5;
const FILE = "SKILL.md";

export interface SkillRootOptions {
  /** Absolute; blank: there is none. Read at each scan; it need not exist. */
  readonly path: () => string;
  /** Of its skills; of a writable root those that the agent saved are `learned`. */
  readonly origin: Exclude<SkillOrigin, "learned">;
  readonly readYaml: ReadYaml;
}

/** A file of a skill besides `SKILL.md`. */
export interface SkillFile {
  /** With `/`, from the skill's folder. */
  readonly path: string;
  readonly bytes: number;
}

interface Known {
  readonly signature: string;
  readonly entry: SkillEntry;
}

/** One root, as it was when it was scanned last. */
export class SkillRoot {
  readonly #options: SkillRootOptions;
  #known: ReadonlyMap<string, Known> = new Map();
  /** Why it could not be read; undefined: it was, or it does not exist. */
  problem: string | undefined;

  constructor(options: SkillRootOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path();
  }

  get origin(): SkillRootOptions["origin"] {
    return this.#options.origin;
  }

  /** By the folder's name. */
  entry(name: string): SkillEntry | undefined {
    return this.#known.get(name)?.entry;
  }

  /** By name. */
  get entries(): readonly SkillEntry[] {
    return [...this.#known.values()].map(({ entry }) => entry);
  }

  /** Reads what changed. @returns whether anything did */
  async scan(): Promise<boolean> {
    const next = new Map<string, Known>();
    let root: OpenFolder | undefined;
    this.problem = undefined;
    try {
      if (this.path !== "") root = openRoot(this.path);
      const opened = root;
      const names = (opened === undefined ? [] : readdirSync(opened.at("."), { withFileTypes: true }))
        .filter(({ name }) => !name.startsWith("."))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      let until = performance.now() + BITE_MS;
      for (const found of names) {
        if (opened === undefined) break;
        if (next.size === SKILL_LIMITS.skills) {
          this.problem = `it has more than ${SKILL_LIMITS.skills} skills`;
          break;
        }
        const known = this.#look(opened, found.name, kindOf(found, opened), found.isSymbolicLink());
        if (known !== undefined) next.set(found.name, known);
        if (performance.now() > until) {
          await pause();
          until = performance.now() + BITE_MS;
        }
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (code !== "ENOENT") this.problem = `it cannot be read (${code})`;
    } finally {
      if (root !== undefined) closeSync(root.fd);
    }
    const before = this.#known;
    this.#known = next;
    return before.size !== next.size || [...next].some(([name, known]) => before.get(name) !== known);
  }

  /** The other files of a skill, by path; none of a folder that cannot be read. */
  files(name: string): readonly SkillFile[] {
    const found: SkillFile[] = [];
    try {
      this.#inside(name, (folder) => listFiles(folder, "", found));
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
    }
    return found.filter(({ path }) => path !== FILE).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** A text file of a skill. @throws SkillError unknown, unreadable */
  read(name: string, path: string): string {
    const steps = path.split("/");
    if (steps.some((step) => step === "" || step === "." || step === ".." || step.includes("\0")))
      throw new SkillError("unreadable", "a file of a skill is named by its path in the skill's folder");
    return this.#inside(name, (folder) => {
      const held: OpenFolder[] = [];
      try {
        let at = folder;
        for (const step of steps.slice(0, -1)) {
          at = at.enter(step);
          held.push(at);
        }
        return readText(at, steps.at(-1)!);
      } catch (error) {
        throw fileProblem(error);
      } finally {
        for (const one of held) closeSync(one.fd);
      }
    });
  }

  #inside<T>(name: string, work: (folder: OpenFolder) => T): T {
    const root = openRoot(this.path);
    try {
      const folder = root.enter(name);
      try {
        return work(folder);
      } finally {
        closeSync(folder.fd);
      }
    } catch (error) {
      throw fileProblem(error);
    } finally {
      closeSync(root.fd);
    }
  }

  /** Undefined: it is no skill's folder. */
  #look(root: OpenFolder, name: string, kind: "file" | "folder" | "none", isLink: boolean): Known | undefined {
    if (isLink) return this.#kept(name, "link", () => ({ fault: "it is a link, which is not followed", text: "" }));
    if (kind !== "folder") return undefined;
    let folder: OpenFolder | undefined;
    try {
      folder = root.enter(name);
      const stat = lstatSync(folder.at(FILE), { bigint: true, throwIfNoEntry: false });
      if (stat === undefined) return undefined;
      const opened = folder;
      const signature = `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
      return this.#kept(name, signature, () => this.#read(opened, name), Number(stat.mtimeMs));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return this.#kept(name, code, () => ({ fault: `it cannot be read (${code})`, text: "" }));
    } finally {
      if (folder !== undefined) closeSync(folder.fd);
    }
  }

  #kept(
    name: string,
    signature: string,
    make: () => Pick<SkillEntry, "fault" | "text"> & { readonly skill?: SkillEntry["skill"] },
    changedAt = 0,
  ): Known {
    const known = this.#known.get(name);
    if (known?.signature === signature) return known;
    const { skill, fault, text } = make();
    const isLearned = this.origin === "user" && isMarkedLearned(skill?.head);
    const origin = isLearned ? ("learned" as const) : this.origin;
    return { signature, entry: { name, origin, skill, fault, text, changedAt } };
  }

  #read(folder: OpenFolder, name: string): Pick<SkillEntry, "skill" | "fault" | "text"> {
    let text = "";
    try {
      text = readText(folder, FILE);
    } catch (error) {
      const problem = fileProblem(error);
      if (!(problem instanceof SkillError)) throw problem;
      return { skill: undefined, fault: problem.message, text };
    }
    const parsed = parseSkill(name, text, this.#options.readYaml);
    return parsed.ok
      ? { skill: parsed.skill, fault: undefined, text }
      : { skill: undefined, fault: parsed.fault, text };
  }
}

/** Whether the head of a skill says that the agent saved it. */
function isMarkedLearned(head: { readonly [key: string]: unknown } | undefined): boolean {
  const metadata = head?.metadata;
  return typeof metadata === "object" && metadata !== null && (metadata as { origin?: unknown }).origin === "learned";
}

function openRoot(path: string): OpenFolder {
  return new OpenFolder(path, path, process.platform !== "linux");
}

/** A text file of at most 64 KiB. @throws SkillError unreadable */
function readText(folder: OpenFolder, name: string): string {
  const fd = folder.openFile(name);
  if (fd === undefined) throw new SkillError("unreadable", `${name} was replaced meanwhile`);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new SkillError("unreadable", `${name} is no file`);
    const bytes = Buffer.alloc(SKILL_LIMITS.fileBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(fd, bytes, length, bytes.length - length, null);
    if (length > SKILL_LIMITS.fileBytes)
      throw new SkillError("unreadable", `${name} has more than ${SKILL_LIMITS.fileBytes / 1024} KiB`);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
    if (text.includes("\0")) throw new SkillError("unreadable", `${name} is no text`);
    return text;
  } catch (error) {
    if (error instanceof TypeError) throw new SkillError("unreadable", `${name} is no UTF-8 text`);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function listFiles(folder: OpenFolder, prefix: string, found: SkillFile[]): void {
  for (const entry of readdirSync(folder.at("."), { withFileTypes: true })) {
    if (found.length > SKILL_LIMITS.listedFiles) return;
    if (entry.name.startsWith(".")) continue;
    const kind = kindOf(entry, folder);
    const path = prefix + entry.name;
    if (kind === "file") found.push({ path, bytes: lstatSync(folder.at(entry.name)).size });
    if (kind !== "folder" || path.split("/").length > 8) continue;
    const inner = folder.enter(entry.name);
    try {
      listFiles(inner, `${path}/`, found);
    } finally {
      closeSync(inner.fd);
    }
  }
}

function fileProblem(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof SkillError || code === undefined) return error;
  if (code === "ENOENT") return new SkillError("unknown", "the skill has no such file");
  if (code === "ELOOP" || code === "ENOTDIR")
    return new SkillError("unreadable", "the path leads through a link or a file, which is not followed");
  return new SkillError("unreadable", `it cannot be read (${code})`);
}
