import type { EventBus } from "../../bus/index.ts";
import type { Clock } from "../../clock/index.ts";
import type { ConversationCache } from "../../context/index.ts";
import type { Database } from "../../database/index.ts";
import type { Journal } from "../../journal/index.ts";
import type { TaskService } from "../../task/index.ts";

export interface SessionRemovalOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: TaskService;
  readonly conversations: Pick<ConversationCache, "forget">;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventBus;
  /** Resolves when every reader behind the journal has written what was committed before. */
  readonly written: () => Promise<void>;
  /** The same, and what a former process had not written is written too. */
  readonly listed: () => Promise<void>;
  /** Resolves when the versions are there that were begun before a session was shut (SV4). */
  readonly versionsSettled: () => Promise<void>;
  /** Removes what is kept of a session elsewhere. Must be repeatable. */
  readonly forgetSession: (session: string, retired: boolean) => Promise<void>;
  /** Overwrites what the stores' files hold of rows that are gone. */
  readonly eraseRemains: () => Promise<void>;
  /** Removes what is kept of tasks elsewhere. Must be repeatable. */
  readonly forgetTasks: (tasks: readonly string[]) => Promise<void>;
}
