import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { Skill, SkillEntry } from "./skill.ts";
import { SkillError } from "./skill-error.ts";
import type { SkillFile, SkillRoot } from "./skill-root.ts";
import { watchRoots } from "./watch-roots.ts";

export interface SkillLibraryOptions {
  /** Of skills with one name that of the first root counts: the writable root comes first. */
  readonly roots: readonly SkillRoot[];
  readonly clock: Pick<Clock, "setTimeout">;
  /** Called after skills changed; not waited for. */
  readonly onChange?: () => void;
  /** Gets `skill.changed`. */
  readonly bus: EventBus;
  readonly log: Pick<EngineLog, "warn">;
}

interface Placed {
  readonly root: SkillRoot;
  readonly entry: SkillEntry;
}

/** The skills of all roots, held in memory and read again when their files change. */
export class SkillLibrary {
  readonly #options: SkillLibraryOptions;
  #placed: ReadonlyMap<string, Placed> = new Map();
  #scanning: Promise<void> = Promise.resolve();
  #unwatch: (() => void) | undefined;
  readonly #problems = new Map<SkillRoot, string>();
  /** Changes with each change of a skill. */
  version = 0;

  constructor(options: SkillLibraryOptions) {
    this.#options = options;
  }

  /** Reads all roots, and follows their changes from then on. */
  async open(): Promise<void> {
    await this.#scan(false);
    const { clock, roots } = this.#options;
    this.#unwatch = watchRoots({
      folders: () =>
        roots
          .filter(({ path }) => path !== "")
          .map(({ path, entries }) => ({ path, names: entries.map(({ name }) => name) })),
      clock,
      onChange: () => this.refresh(),
    });
  }

  async close(): Promise<void> {
    this.#unwatch?.();
    await this.#scanning;
  }

  /** Reads what changed. */
  refresh(): Promise<void> {
    this.#scanning = this.#scanning.then(() => this.#scan(true));
    return this.#scanning;
  }

  /** One for each name, by name; broken ones too. */
  get entries(): readonly SkillEntry[] {
    return [...this.#placed.values()].map(({ entry }) => entry);
  }

  /** The skills that the model may know of, by name. */
  get skills(): readonly Skill[] {
    return this.entries.flatMap(({ skill }) => (skill === undefined || skill.userOnly ? [] : [skill]));
  }

  /** By its name. */
  find(name: string): SkillEntry | undefined {
    return this.#placed.get(name)?.entry;
  }

  /** A skill that can be used. @throws SkillError unknown, broken */
  skill(name: string): Skill {
    const entry = this.find(name);
    if (entry === undefined) throw new SkillError("unknown", `there is no skill ${JSON.stringify(name)}`);
    if (entry.skill === undefined) throw new SkillError("broken", `the skill ${name} is broken: ${entry.fault}`);
    return entry.skill;
  }

  /** The files of a skill besides `SKILL.md`. */
  files(name: string): readonly SkillFile[] {
    return this.#placed.get(name)?.root.files(name) ?? [];
  }

  /** A text file of a skill. @throws SkillError unknown, unreadable */
  read(name: string, path: string): string {
    const placed = this.#placed.get(name);
    if (placed === undefined) throw new SkillError("unknown", `there is no skill ${JSON.stringify(name)}`);
    return placed.root.read(name, path);
  }

  async #scan(publishes: boolean): Promise<void> {
    const { roots, bus, log } = this.#options;
    let changed = false;
    for (const root of roots) {
      try {
        changed = (await root.scan()) || changed;
      } catch (error) {
        root.problem = String(error);
      }
      this.#warnOnce(root, log);
    }
    if (!changed) return;
    const before = this.#placed;
    this.#placed = placedIn(roots);
    this.version++;
    if (!publishes) return;
    this.#options.onChange?.();
    const names = new Set([...before.keys(), ...this.#placed.keys()]);
    for (const name of names) {
      const [was, is] = [before.get(name)?.entry, this.#placed.get(name)?.entry];
      if (was !== is) bus.publish("skill.changed", { name, action: actionOf(was, is) });
    }
  }

  #warnOnce(root: SkillRoot, log: Pick<EngineLog, "warn">): void {
    const { problem } = root;
    if (problem !== undefined && this.#problems.get(root) !== problem)
      log.warn(`the folder of skills ${root.path}: ${problem}`);
    if (problem === undefined) this.#problems.delete(root);
    else this.#problems.set(root, problem);
  }
}

function actionOf(was: SkillEntry | undefined, is: SkillEntry | undefined): "added" | "changed" | "removed" {
  if (was === undefined) return "added";
  return is === undefined ? "removed" : "changed";
}

function placedIn(roots: readonly SkillRoot[]): ReadonlyMap<string, Placed> {
  const all = new Map<string, Placed>();
  for (const root of roots)
    for (const entry of root.entries) if (!all.has(entry.name)) all.set(entry.name, { root, entry });
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
