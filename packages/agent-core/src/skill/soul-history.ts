/** The persona and its versions (K29). As of skills: a version first, then the file, and a crash between them is mended. */
import type { EngineLog } from "../log/index.ts";
import { SkillError } from "./skill-error.ts";
import type { TextChange, TextVersion, TextVersions } from "./text-versions.ts";

/** The persona as its operator wrote it. */
export interface PersonaText {
  text(): string;
  /** With effect at once. Throws where it cannot be written. */
  write(text: string): void;
  /** Calls the listener whenever the text changes. Returns what ends it. */
  subscribe(listener: () => void): () => void;
}

export interface SoulHistoryOptions {
  readonly persona: PersonaText;
  readonly versions: TextVersions;
  /** Whether the store of versions has been made. */
  readonly exists: () => boolean;
  readonly log: Pick<EngineLog, "warn">;
}

const KIND = ["soul", "persona"] as const;

/** Writes the persona, a version each, and makes versions of what others wrote. */
export class SoulHistory {
  readonly #options: SoulHistoryOptions;
  readonly #unsubscribe: () => void;
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: SoulHistoryOptions) {
    this.#options = options;
    this.#unsubscribe = options.persona.subscribe(() => void this.#keep(options.persona.text()));
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#working;
  }

  /**
   * Makes the text the persona, as a version; `text` is asked once no version is missing, and not where the call was carried
   * out before. @returns its number @throws what the persona's file throws
   */
  write(text: () => string, change: TextChange): Promise<number> {
    return this.#oneAtATime(async () => {
      const { persona, versions } = this.#options;
      const done = await versions.carriedOut(change.call);
      if (done !== undefined) return Number(done);
      await this.#reconcile();
      const next = normal(text());
      const no = await versions.add(...KIND, { text: next, written: false, change, outcome: (version) => version });
      persona.write(next);
      await versions.setWritten(...KIND, no);
      return no;
    });
  }

  /** Makes an earlier version the persona. @throws SkillError unknown */
  async restore(no: number, change: TextChange): Promise<number> {
    const text = await this.read(no);
    return this.write(() => text, change);
  }

  /** Newest first. @throws DatabaseError */
  async list(): Promise<readonly TextVersion[]> {
    await this.#working;
    return this.#options.exists() ? this.#options.versions.list(...KIND) : [];
  }

  /** The text of a version. @throws SkillError unknown @throws DatabaseError */
  async read(no: number): Promise<string> {
    const text = this.#options.exists() ? await this.#options.versions.read(...KIND, no) : undefined;
    if (text === undefined) throw new SkillError("unknown", `the persona has no version ${no}`);
    return text;
  }

  /** Makes a version of what a person wrote while the service did not run. Never rejects. */
  async reconcile(): Promise<void> {
    if (this.#options.exists()) await this.#keep();
  }

  /** Of what was written now, however soon the next text follows. Never rejects. */
  #keep(text?: string): Promise<void> {
    return this.#oneAtATime(() =>
      this.#reconcile(text).catch((error: unknown) =>
        this.#options.log.warn(`a version of the persona could not be kept: ${String(error)}`),
      ),
    );
  }

  async #reconcile(said?: string): Promise<void> {
    const { persona, versions } = this.#options;
    const newest = (await versions.newest("soul")).get(KIND[1]);
    if (newest?.written === false && newest.text !== undefined) {
      const before = newest.no > 1 ? await versions.read(...KIND, newest.no - 1) : undefined;
      if (persona.text() === (before ?? "") && persona.text() !== newest.text) persona.write(newest.text);
      await versions.setWritten(...KIND, newest.no);
    }
    const text = said ?? persona.text();
    if (text === newest?.text || (newest === undefined && text === "")) return;
    await versions.add(...KIND, { text, written: true, change: { author: "hand", reason: "" } });
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch(() => {});
    return done;
  }
}

/** As the persona's file has it. */
function normal(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "").toWellFormed().trim();
}
