/** Exclusive work on contexts as a whole: held while it runs, or shut while they are removed (EN4, EN7). */
import type { TurnDeps } from "../turn/index.ts";
import { contextKey } from "./queue-entry.ts";
import { TaskError } from "./task-error.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** A context of a class. */
export interface ContextName {
  readonly class: string;
  readonly context: string;
}

export interface ContextGateOptions {
  readonly deps: TurnDeps;
  readonly queue: TurnQueue;
  /** A context was released. */
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
   * Runs `work` while no turn of the context runs, waits or begins: turns that come meanwhile are queued.
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

  /** Rejects turns of a context that is being removed. */
  shut(of: ContextName): void {
    this.#shut.add(contextKey(of));
  }

  /** Accepts turns of the context again. */
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
