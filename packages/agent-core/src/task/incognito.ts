/** Turns of which nothing stays: no prompt snapshot, no memory, no transcript once their session ends. */
import { type Database, namedStatement, type Statement } from "../database/index.ts";
import type { InputMessage } from "../event/index.ts";
import type { Statements } from "../journal/index.ts";
import type { ContextName } from "./context-gate.ts";
import { contextKey } from "./queue-entry.ts";

const KEEP = namedStatement(
  "INSERT INTO incognito_turn (task, class, context, at, whole) VALUES (:task, :class, :context, :at, :whole)",
);

/** Whether a message asks for it: `incognito` of its metadata. */
export function asksIncognito({ metadata }: InputMessage): boolean {
  return metadata?.incognito === true;
}

/** A message as one that asks for it. */
export function askIncognito(message: InputMessage): InputMessage {
  return asksIncognito(message) ? message : { ...message, metadata: { ...message.metadata, incognito: true } };
}

/** The row by which an incognito turn is found again when its session ends. `whole`: so are all turns of the session. */
export function incognitoRow(turn: {
  readonly task: string;
  readonly class: string;
  readonly context: string;
  readonly at: number;
  readonly whole: boolean;
}): Statement {
  return KEEP.bind({ ...turn, whole: turn.whole ? 1 : 0 });
}

/**
 * Which conversations began incognito: every later turn of such a one is incognito, whatever its message asks for. Known for
 * the conversations that had an incognito turn since the process began; those of a former process are known until they are removed.
 */
export class IncognitoConversations {
  readonly #db: Pick<Database, "read">;
  readonly #statements: Pick<Statements, "hasMessages">;
  readonly #whole = new Map<string, Promise<boolean>>();

  constructor(db: Pick<Database, "read">, statements: Pick<Statements, "hasMessages">) {
    this.#db = db;
    this.#statements = statements;
  }

  /** Whether a conversation may have begun incognito; costs nothing. */
  mayBeWhole(of: ContextName): boolean {
    return this.#whole.size > 0 && this.#whole.has(contextKey(of));
  }

  /** Whether a conversation with an incognito turn began with one. `begun`: it has a turn already. */
  isWhole(of: ContextName, begun: boolean): Promise<boolean> {
    const key = contextKey(of);
    const known = this.#whole.get(key);
    if (known !== undefined) return known;
    const whole = begun ? Promise.resolve(false) : this.#isNew(of);
    this.#whole.set(key, whole);
    // The next message asks again.
    whole.catch(() => this.#whole.delete(key));
    return whole;
  }

  /** A former process left incognito turns in it, which are removed soon: until then they are shown. */
  remember(of: ContextName, whole: boolean): void {
    this.#whole.set(contextKey(of), Promise.resolve(whole));
  }

  /** A fork is shown what the other conversation was: its calls hold incognito texts too. */
  share(from: ContextName, fork: ContextName): void {
    if (this.mayBeWhole(from)) this.#whole.set(contextKey(fork), Promise.resolve(false));
  }

  /** Forgets a conversation that is removed. */
  forget(of: ContextName): void {
    this.#whole.delete(contextKey(of));
  }

  async #isNew({ class: callerClass, context }: ContextName): Promise<boolean> {
    const rows = await this.#db.read(this.#statements.hasMessages.bind({ class: callerClass, context }));
    return rows.length === 0;
  }
}
