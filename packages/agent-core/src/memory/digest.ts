/** What a conversation is shown of earlier ones: a line each (K16). */
import type { PriorSession, ReadPriorSessions } from "../knowledge/index.ts";
import type { SummaryEntry, SummaryIndex } from "./summary-index.ts";

export type DigestPolicy = "newest" | "relevant" | "off";

export interface DigestOptions {
  readonly index: Pick<SummaryIndex, "list" | "search">;
  /** Whether there is any summary: without one nothing is read. */
  readonly exists: () => boolean;
  /** Read at each turn. */
  readonly settings: () => { readonly policy: DigestPolicy; readonly sessions: number; readonly tokens: number };
}

const CHARACTERS_PER_TOKEN = 4;

/** One reading of the newest summaries, and what was made of it: lines are the same for each turn until a summary changes. */
interface Reading {
  readonly limit: number;
  readonly entries: Promise<readonly SummaryEntry[]>;
  /** Once it is read. */
  known?: readonly SummaryEntry[];
  lines?: { readonly sessions: number; readonly tokens: number; readonly of: readonly PriorSession[] };
}

export class Digest {
  readonly #options: DigestOptions;
  /** The newest summaries, as long as none changed. */
  #newest: Reading | undefined;

  constructor(options: DigestOptions) {
    this.#options = options;
  }

  /** A summary changed, or is gone. */
  noteChange(): void {
    this.#newest = undefined;
  }

  readonly read: ReadPriorSessions = ({ text, context }) => {
    const { exists, settings } = this.#options;
    const { policy, sessions, tokens } = settings();
    if (policy === "off" || !exists()) return undefined;
    const known = policy === "newest" ? this.#known(context, sessions, tokens) : undefined;
    return known ?? this.#lines(policy, text, context);
  };

  /** Conversations that a new one would be shown lines of. @throws DatabaseError */
  async shown(): Promise<ReadonlySet<string>> {
    const { exists, settings } = this.#options;
    if (settings().policy !== "newest" || !exists()) return new Set();
    return new Set((await this.#lines("newest", "", "")).map(({ session }) => session));
  }

  async #lines(policy: DigestPolicy, text: string, context: string): Promise<readonly PriorSession[]> {
    const { sessions, tokens } = this.#options.settings();
    const found = policy === "relevant" ? await this.#relevant(text, context, sessions) : await this.#read(sessions);
    return linesOf(found, context, sessions, tokens);
  }

  /** Those of the newest summaries that are in memory; undefined: they have to be read. */
  #known(context: string, sessions: number, tokens: number): readonly PriorSession[] | undefined {
    const reading = this.#newest;
    if (reading?.known === undefined || reading.limit !== sessions + 1) return undefined;
    if (reading.known.some(({ session }) => session === context))
      return linesOf(reading.known, context, sessions, tokens);
    const { lines } = reading;
    if (lines?.sessions === sessions && lines.tokens === tokens) return lines.of;
    const of = linesOf(reading.known, context, sessions, tokens);
    reading.lines = { sessions, tokens, of };
    return of;
  }

  #relevant(text: string, except: string, limit: number): Promise<readonly SummaryEntry[]> {
    return this.#options.index.search({ text, except, surface: "", limit });
  }

  #read(sessions: number): Promise<readonly SummaryEntry[]> {
    // The conversation itself may be among them.
    const limit = sessions + 1;
    if (this.#newest?.limit === limit) return this.#newest.entries;
    const entries = this.#options.index.list(limit);
    const reading: Reading = { limit, entries };
    this.#newest = reading;
    entries.then(
      (known) => {
        reading.known = known;
      },
      () => {
        if (this.#newest === reading) this.#newest = undefined;
      },
    );
    return entries;
  }
}

/** Without the conversation itself. */
function linesOf(
  found: readonly SummaryEntry[],
  context: string,
  sessions: number,
  tokens: number,
): readonly PriorSession[] {
  let room = tokens * CHARACTERS_PER_TOKEN;
  const lines: PriorSession[] = [];
  for (const entry of found) {
    if (entry.session === context || lines.length >= sessions) continue;
    const line = lineOf(entry);
    room -= line.length + 1;
    if (room < 0) break;
    lines.push({ session: entry.session, line, outside: isFromOutside(entry) });
  }
  return lines;
}

/** A conversation as one line. */
export function lineOf(entry: SummaryEntry): string {
  const { session, at, surface, messages, topic } = entry;
  const date = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const about = [date, surface, `${messages} ${messages === 1 ? "message" : "messages"}`];
  if (isFromOutside(entry)) about.push("outside");
  return `session ${session} [${about.join(" · ")}] ${topic}`.replaceAll(/\s+/g, " ").trim();
}

/** Whether the line of a conversation holds text from outside: its topic is how what started it begins. */
function isFromOutside({ surface, outside }: SummaryEntry): boolean {
  return outside && surface === "activity";
}
