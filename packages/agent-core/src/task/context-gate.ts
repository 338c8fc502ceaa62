/** Contexts to which something is done as a whole: held while it is done, or shut while they are removed (EN4, EN7). */
import type { TurnDeps } from "../turn/index.ts";
import { contextKey } from "./queue-entry.ts";
import { TaskError } from "./task-error.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** A context of a class. */
export interface ContextName {
  readonly class: string;
  readonly context: string;
}

/** What the gate is over. */
export interface ContextGateOptions {
  readonly deps: TurnDeps;
  readonly queue: TurnQueue;
  /** A context was let go. */
  readonly onFree: (of: ContextName) => void;
}

/** Holds and shuts contexts. */
export class ContextGate {
  readonly #options: ContextGateOptions;
  readonly #shut = new Set<string>();

  constructor(options: ContextGateOptions) {
    this.#options = options;
  }

  /**
   * Does something to a context while no turn runs, waits or begins there: those that come meanwhile get in line.
   * @throws TaskError context_busy
   */
  async alone<T>(of: ContextName, work: () => Promise<T>): Promise<T> {
    const { deps, queue, onFree } = this.#options;
    const key = contextKey(of);
    this.assertOpen(key);
    if (queue.held(key)) throw new TaskError("context_busy", "a turn runs or waits in this session");
    const id = deps.newId();
    queue.enter({ id, key, class: of.class, slotless: true, run: () => {} });
    try {
      const open = deps.journal.statements.selectOpenTaskIn.bind({ class: of.class, context: of.context });
      if ((await deps.db.read(open)).length > 0) {
        throw new TaskError("context_busy", "a turn of this session waits for a person");
      }
      return await work();
    } finally {
      queue.leave(id, key);
      onFree(of);
    }
  }

  /** Lets nothing begin in a context that is being removed. */
  shut(of: ContextName): void {
    this.#shut.add(contextKey(of));
  }

  /** Lets work begin there again. */
  reopen(of: ContextName): void {
    this.#shut.delete(contextKey(of));
  }

  /** Whether a context is being removed. */
  isShut(key: string): boolean {
    return this.#shut.size > 0 && this.#shut.has(key);
  }

  /** @throws TaskError overloaded: it is being removed */
  assertOpen(key: string): void {
    if (this.isShut(key)) throw new TaskError("overloaded", "this session is being deleted", 1);
  }
}
