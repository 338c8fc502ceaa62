import type { AnyVerifier } from "@agent-service/plugin-sdk";
import type { EventLog } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { ConversationCache } from "../context/index.ts";
import type { Database, LazyStore, StoreSchema, Synchronous } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { Processes } from "../process/index.ts";
import type { JournalFeed } from "../projection/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { OnRestart, TaskService } from "../task/index.ts";
import type { DurableTimers } from "../timer/index.ts";
import type { Toolbox } from "../tool/index.ts";
import type { ChosenModel } from "../turn/index.ts";

/** What is changed in copies of conversations. */
export interface TextRewriting {
  readonly conversations: readonly { readonly class: string; readonly context: string }[];
  /** Gives the text as it is to stand. Of its own result it changes nothing. */
  readonly rewrite: (text: string) => string;
}

/** A store of a feature's own, beside the engine's. */
export interface OwnStoreOptions {
  readonly schema: StoreSchema;
  /** `file:…`, `:memory:` or a server's URL. Asked when the store is opened. */
  readonly url: () => string | Promise<string>;
  /** Another address, where the first cannot be opened. */
  readonly fallback?: (reason: unknown) => string;
  /** Default `full`: what was committed survives power loss. */
  readonly synchronous?: Synchronous;
}

/** What a feature is opened over. Everything here exists; what features contribute is complete once all are open. */
export interface Engine {
  readonly db: Database;
  readonly journal: Journal;
  readonly clock: Clock;
  /** For operators. */
  readonly log: EngineLog;
  readonly redactor: Redactor;
  /** Ids that sort by time. */
  readonly newId: () => string;
  readonly bus: EventLog;
  /** Starts, answers, steers and cancels tasks. */
  readonly service: TaskService;
  readonly timers: DurableTimers;
  /** Starts programs; all have ended when the engine has stopped. */
  readonly processes: Processes;
  /** What is kept in memory of busy conversations. */
  readonly conversations: Pick<ConversationCache, "forget" | "read">;
  /** The readers behind the journal. */
  readonly feed: JournalFeed;
  /** The tools of all features, once they are sealed; reading it earlier throws. */
  readonly toolbox: Toolbox;
  /** Resolves a model value; undefined: the lead model. @throws ModelError */
  chooseModel(value: string | undefined): ChosenModel;
  /** The system text of turns. */
  system(): string | undefined;
  /** The `traceparent` header of a call of a turn, where a feature provides one. */
  traceparent(view: Readonly<TaskView>, call: string): string | undefined;
  /** Checks that plugins bring, by the plugin's name. */
  readonly verifiers: Readonly<Record<string, readonly AnyVerifier[]>>;
  readonly onRestart: OnRestart;
  /** A store that is opened at its first use. The feature closes it. */
  openStore(options: OwnStoreOptions): LazyStore;
  /** Overwrites what the files of all open stores still hold of rows that are gone, and empties their logs. @throws DatabaseError */
  eraseRemains(): Promise<void>;
  /** Has every feature remove what it keeps of a session. */
  forgetSession(session: string, retired: boolean): Promise<void>;
  /** Has every feature remove what it keeps of tasks. */
  forgetTasks(tasks: readonly string[]): Promise<void>;
  /** Has every feature change texts in what it keeps of conversations. */
  rewriteTexts(rewriting: TextRewriting): Promise<void>;
}
