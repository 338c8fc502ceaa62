/**
 * Changing skills: files of the writable root, each change with a version (K28).
 *
 * Invariants
 *  KM10  A skill's file is what its newest version says, or a hand edit that became the newest version. A crash between the
 *        version and the file is mended at the next start.
 */
import type { EngineLog } from "../log/index.ts";
import { parseSkill, type ReadYaml } from "./parse-skill.ts";
import { renderSkill, type SkillDraft } from "./render-skill.ts";
import { isSkillName, SKILL_LIMITS, type Skill, type SkillEntry } from "./skill.ts";
import { SkillError } from "./skill-error.ts";
import { oneLine } from "./skill-index.ts";
import type { SkillLibrary } from "./skill-library.ts";
import type { SkillRoot } from "./skill-root.ts";
import type { NewestVersion, TextChange, TextVersion, TextVersions } from "./text-versions.ts";
import { stageSkill, unplaceSkill } from "./write-skill.ts";

export interface SkillShelfOptions {
  /** The writable root, which the library has too. */
  readonly root: SkillRoot;
  readonly library: SkillLibrary;
  readonly versions: TextVersions;
  readonly readYaml: ReadYaml;
  /** Whether the store of versions has been made. */
  readonly exists: () => boolean;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
  readonly log: Pick<EngineLog, "warn">;
}

/** What may be said of a skill that is made or changed. */
export interface SkillFields {
  readonly description?: string | undefined;
  readonly body?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly userFacing?: boolean | undefined;
  readonly userOnly?: boolean | undefined;
  /** Blank: the name. */
  readonly slash?: string | undefined;
}

/** What a change came to. */
export interface ChangedSkill {
  readonly name: string;
  /** The number of the version; that of before where nothing changed. */
  readonly version: number;
}

/** The skills that can be written. */
export class SkillShelf {
  readonly #options: SkillShelfOptions;
  #newest: Map<string, NewestVersion> | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #complained = false;

  constructor(options: SkillShelfOptions) {
    this.#options = options;
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#working;
  }

  /** @throws SkillError known, invalid, unwritable @throws DatabaseError */
  create(name: string, fields: SkillFields, change: TextChange, head: SkillDraft["head"] = {}): Promise<ChangedSkill> {
    return this.#once(change, async () => {
      if (!isSkillName(name))
        throw new SkillError("invalid", "a skill's name has 1 to 64 small letters, digits and single hyphens");
      const { library } = this.#options;
      if (library.find(name) !== undefined) throw new SkillError("known", `there is a skill ${name}`);
      const empty = { description: "", body: "", tools: [], userFacing: false, userOnly: false, slash: "" };
      return this.#put(this.#text({ ...empty, name, head }, fields), name, change);
    });
  }

  /** @throws SkillError unknown, read_only, broken, known, invalid, unwritable @throws DatabaseError */
  update(name: string, fields: SkillFields, change: TextChange): Promise<ChangedSkill> {
    return this.#once(change, () => {
      this.#writable(name);
      const skill = this.#options.library.skill(name);
      const slash = skill.slash === name || skill.slash === `skill-${name}` ? "" : skill.slash;
      return this.#put(this.#text({ ...skill, slash }, fields), name, change);
    });
  }

  /** Takes a skill's `SKILL.md` away; other files in its folder stay. @throws SkillError @throws DatabaseError */
  remove(name: string, change: TextChange): Promise<ChangedSkill> {
    return this.#once(change, () => {
      this.#writable(name);
      return this.#put(undefined, name, change);
    });
  }

  /** Makes an earlier version the newest. @throws SkillError unknown, read_only, unwritable @throws DatabaseError */
  restore(name: string, no: number, change: TextChange): Promise<ChangedSkill> {
    return this.#once(change, async () => {
      const { library, versions } = this.#options;
      const text = await versions.read("skill", name, no);
      if (text === undefined) throw new SkillError("unknown", `the skill ${name} has no version ${no} with a text`);
      if (library.find(name) !== undefined) this.#writable(name);
      return this.#put(text, name, change);
    });
  }

  /** The versions of a skill, newest first. @throws SkillError unknown @throws DatabaseError */
  async versions(name: string): Promise<readonly TextVersion[]> {
    await this.#working;
    const { library, versions, exists } = this.#options;
    const known = isSkillName(name) && exists() ? await versions.list("skill", name) : [];
    if (known.length === 0 && library.find(name) === undefined) throw unknown(name);
    return known;
  }

  /** The text of a version. @throws SkillError unknown @throws DatabaseError */
  async version(name: string, no: number): Promise<string> {
    const { versions, exists } = this.#options;
    const text = exists() ? await versions.read("skill", name, no) : undefined;
    if (text === undefined) throw new SkillError("unknown", `the skill ${name} has no version ${no} with a text`);
    return text;
  }

  /** Makes versions of hand edits, and files of versions that a crash kept from their files. Never rejects. */
  reconcile(): Promise<void> {
    return this.#oneAtATime(async () => {
      try {
        await this.#reconcile();
        this.#complained = false;
      } catch (error) {
        if (!this.#complained) this.#options.log.warn(`versions of skills could not be kept: ${String(error)}`);
        this.#complained = true;
      }
    });
  }

  async #reconcile(): Promise<void> {
    const { root, library, exists } = this.#options;
    if (root.problem !== undefined || (!exists() && root.entries.length === 0)) return;
    const newest = await this.#known();
    let mended = false;
    for (const [name, version] of newest) if (!version.written) mended = (await this.#mend(name, version)) || mended;
    if (mended) await library.refresh();
    const byHand = { author: "hand", reason: "" } as const;
    for (const { name, text } of root.entries)
      if (text !== "" && isSkillName(name) && newest.get(name)?.text !== text)
        await this.#record(name, text, byHand, true);
    for (const [name, { text }] of newest)
      if (text !== undefined && root.entry(name) === undefined) await this.#record(name, undefined, byHand, true);
  }

  /** A version whose file may say another thing. @returns whether the file was changed */
  async #mend(name: string, { no, text }: NewestVersion): Promise<boolean> {
    const { root, versions } = this.#options;
    const found = root.entry(name)?.text;
    const before = no > 1 ? await versions.read("skill", name, no - 1) : undefined;
    const mends = found !== text && found === before;
    if (mends) await this.#write(name, text);
    // Else it is there already, or somebody wrote another text meanwhile, which becomes a version of its own.
    await this.#isWritten(name, no, text);
    return mends;
  }

  #text(before: (Omit<Skill, "slash"> & { readonly slash: string }) | SkillDraft, fields: SkillFields): string {
    const { name } = before;
    const { readYaml, library } = this.#options;
    const text = renderSkill({
      ...{ name, head: before.head },
      description: oneLine(fields.description ?? before.description),
      body: fields.body ?? before.body,
      tools: fields.tools ?? before.tools,
      userFacing: fields.userFacing ?? before.userFacing,
      userOnly: fields.userOnly ?? before.userOnly,
      slash: (fields.slash ?? before.slash).replace(/^\//, ""),
    });
    const parsed = parseSkill(name, text, readYaml);
    if (!parsed.ok) throw new SkillError("invalid", parsed.fault);
    if (parsed.skill.body === "") throw new SkillError("invalid", "the body is missing");
    if (Buffer.byteLength(text) > SKILL_LIMITS.fileBytes)
      throw new SkillError("invalid", `it has more than ${SKILL_LIMITS.fileBytes / 1024} KiB`);
    const { slash } = parsed.skill;
    const other = library.entries.find(
      ({ skill }) => skill !== undefined && skill.name !== name && isBegunBy(skill, slash),
    );
    if (other !== undefined && isBegunBy(parsed.skill, slash))
      throw new SkillError("known", `/${slash} begins the skill ${other.name} already`);
    return text;
  }

  async #put(text: string | undefined, name: string, change: TextChange): Promise<ChangedSkill> {
    const newest = (await this.#known()).get(name);
    if (newest?.written === true && newest.text === text && this.#options.root.entry(name)?.text === text)
      return { name, version: newest.no };
    const { root, library, makeFolder } = this.#options;
    const staged = text === undefined ? undefined : await stageSkill(root.path, name, { text, makeFolder });
    try {
      const version = await this.#record(name, text, change, false);
      if (staged === undefined) await unplaceSkill(root.path, name);
      else await staged.place();
      await this.#isWritten(name, version, text);
      return { name, version };
    } finally {
      staged?.close();
      await library.refresh();
    }
  }

  async #record(name: string, text: string | undefined, change: TextChange, written: boolean): Promise<number> {
    const outcome = (version: number): ChangedSkill => ({ name, version });
    const no = await this.#options.versions.add("skill", name, { text, written, change, outcome });
    (await this.#known()).set(name, { no, text, written });
    return no;
  }

  async #write(name: string, text: string | undefined): Promise<void> {
    const { root, makeFolder } = this.#options;
    if (text === undefined) return unplaceSkill(root.path, name);
    const staged = await stageSkill(root.path, name, { text, makeFolder });
    try {
      await staged.place();
    } finally {
      staged.close();
    }
  }

  async #isWritten(name: string, no: number, text: string | undefined): Promise<void> {
    await this.#options.versions.setWritten("skill", name, no);
    (await this.#known()).set(name, { no, text, written: true });
  }

  #writable(name: string): SkillEntry {
    const { library, root } = this.#options;
    const entry = library.find(name);
    if (entry === undefined) throw unknown(name);
    if (root.entry(name) !== entry)
      throw new SkillError("read_only", `the skill ${name} cannot be changed: it is ${entry.origin}`);
    return entry;
  }

  async #known(): Promise<Map<string, NewestVersion>> {
    this.#newest ??= await this.#options.versions.newest("skill");
    return this.#newest;
  }

  /** Makes a change, unless its call made it before. */
  #once(change: TextChange, work: () => Promise<ChangedSkill>): Promise<ChangedSkill> {
    return this.#oneAtATime(async () => {
      const done = await this.#options.versions.carriedOut(change.call);
      return done === undefined ? work() : (done as ChangedSkill);
    });
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch(() => {});
    return done;
  }
}

function unknown(name: string): SkillError {
  return new SkillError("unknown", `there is no skill ${JSON.stringify(name)}`);
}

function isBegunBy({ userFacing, userOnly, slash }: Skill, command: string): boolean {
  return (userFacing || userOnly) && slash === command;
}
