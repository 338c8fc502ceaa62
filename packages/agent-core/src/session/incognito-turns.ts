/**
 * Ends incognito sessions: their turns are removed from the store with all their text. Such a session ends when it is
 * deleted, twelve hours after its last message, and when the service starts or stops
 * (docs/decisions/incognito.md).
 *
 * Invariants
 *  SG1  Of an ended turn nothing stays but telemetry numbers and audit lines; turns of the same session that were not
 *      incognito stay.
 *  SG2  No incognito turn continues after a restart, whatever `checkpoint.on_restart` is.
 *  SG3  A conversation that began incognito is incognito: so is each of its later turns, whatever its message asks for.
 */
import type { Clock } from "../clock/index.ts";
import { type Database, namedStatement } from "../database/index.ts";
import { isTerminalState } from "../event/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { ContextName, TaskService } from "../task/index.ts";
import type { SessionRemoval } from "./removal/session-removal.ts";

export interface IncognitoTurnsOptions {
  readonly db: Database;
  readonly service: TaskService;
  readonly clock: Clock;
  readonly removal: Pick<SessionRemoval, "eraseTurns">;
}

/** Milliseconds after its last message that an incognito session ends. */
export const INCOGNITO_IDLE_MS = 12 * 3_600_000;

/** Time a shutdown gives the removal; a store that takes no writes must not hold it up. */
const STOP_MS = 3_000;

const ALL = namedStatement("SELECT task, context, whole FROM incognito_turn WHERE class = 'operator' ORDER BY task");
/** Forks that show one. */
const SHOWN = namedStatement(
  `SELECT DISTINCT session.id FROM session_fork AS fork CROSS JOIN incognito_turn AS hidden
CROSS JOIN session_turn AS turn ON turn.session = fork.session AND turn.task = hidden.task
CROSS JOIN session ON session.no = fork.session WHERE hidden.class = 'operator'`,
);
const IDLE = namedStatement(
  `SELECT task, context FROM incognito_turn WHERE class = 'operator' AND context NOT IN (
SELECT said.context FROM incognito_turn AS said CROSS JOIN task ON task.id = said.task
WHERE said.class = 'operator' AND (task.updated_at >= :before OR task.state IN ('queued', 'running')))`,
);

const operators = (context: unknown): ContextName => ({ class: OPERATOR_CLASS, context: String(context) });

export class IncognitoTurns {
  readonly #options: IncognitoTurnsOptions;

  constructor(options: IncognitoTurnsOptions) {
    this.#options = options;
  }

  /**
   * Ends those of a former process before any continues (SG2), and has what is said beside them meanwhile kept out of snapshots;
   * returns the function that removes them.
   */
  async resume(): Promise<() => Promise<void>> {
    const { db, service } = this.#options;
    const rows = await db.read(ALL.bind({}));
    const shown = rows.length === 0 ? [] : await db.read(SHOWN.bind({}));
    for (const [context] of shown) service.rememberIncognito(operators(context), false);
    for (const [, context] of rows) service.rememberIncognito(operators(context), false);
    for (const [, context, whole] of rows) if (whole === 1) service.rememberIncognito(operators(context), true);
    for (const [task] of rows) {
      const handle = await service.get(String(task));
      if (handle !== undefined && !isTerminalState(handle.view.state)) await service.cancel(handle.id);
    }
    return () => this.#end(rows);
  }

  /** Removes all, after the readers behind the journal have written their numbers: the service stops. Never rejects. */
  async stop(log: { warn(message: string): void }): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = this.#options.clock.setTimeout(() => late.reject(new Error("it takes too long")), STOP_MS);
    const ended = this.#options.db.read(ALL.bind({})).then((rows) => this.#end(rows));
    ended.catch(() => {});
    try {
      await Promise.race([ended, late.promise]);
    } catch (error) {
      log.warn(`incognito turns are removed at the next start: ${String(error)}`);
    } finally {
      timer.cancel();
    }
  }

  /** Removes those of sessions without a message since `before`, epoch milliseconds. */
  async endIdle(before: number): Promise<void> {
    await this.#end(await this.#options.db.read(IDLE.bind({ before })));
  }

  async #end(rows: readonly (readonly unknown[])[]): Promise<void> {
    const byContext = new Map<string, string[]>();
    for (const [task, context] of rows) {
      const tasks = byContext.get(String(context));
      if (tasks === undefined) byContext.set(String(context), [String(task)]);
      else tasks.push(String(task));
    }
    for (const [context, tasks] of byContext) await this.#options.removal.eraseTurns(context, tasks);
  }
}
