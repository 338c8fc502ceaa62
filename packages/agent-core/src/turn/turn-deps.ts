/** What turns use, and the models they call. */

import type { ApprovalGrants } from "../approval/index.ts";
import type { Clock } from "../clock/index.ts";
import type { ContextSettings, ConversationCache } from "../context/index.ts";
import type { Database } from "../database/index.ts";
import type { TaskUsage, TaskView, TurnContext } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import type { EngineLog } from "../log/index.ts";
import type {
  EffortSupport,
  ImageSupport,
  KnownPrice,
  Model,
  ModelError,
  ModelMessage,
  ModelSettings,
  ModelTool,
  ModelUse,
  ReasoningEffort,
} from "../model/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Party } from "../share/index.ts";
import type { Enforcement, Toolbox } from "../tool/index.ts";
import type { CallProgress } from "./batch/call-progress.ts";
import type { DelegatedWork } from "./delegated-work.ts";
import type { TurnLimits } from "./turn-limits.ts";
import type { TurnRole } from "./turn-role.ts";

/** A model with the name and settings it is called with. */
export interface ChosenModel {
  readonly model: Model;
  /** The model's name at its provider. */
  readonly name: string;
  readonly settings: ModelSettings;
  /** Tokens of its window (R13). */
  readonly windowTokens: number;
  /** What it costs; absent: not known. */
  readonly price?: KnownPrice | undefined;
  /**
   * What the operator can do about a failure, in one line; undefined: nothing beyond its own message. Shown to the
   * operator only: it may name addresses and files.
   */
  explain?(error: ModelError): string | undefined;
  /** Whether it takes images; absent: not known (R13). */
  readonly images?: ImageSupport;
  /** The reasoning efforts it takes; absent: not known. */
  readonly efforts?: EffortSupport;
  /** Slash commands that are its own (R10), without the slash. */
  readonly commands?: readonly string[] | undefined;
  /** Counts the turns that use it, so that its connection can be freed afterwards. */
  readonly use?: ModelUse;
  /** Models that take over when it fails before any output, in order (B65 `routing.fallback_models`). */
  readonly fallbacks?: readonly ChosenModel[];
}

/**
 * A model call that ended, for observers of what models are sent. It holds the turn's own values, not copies: of
 * `messages` the first `shown` were sent.
 */
export interface ObservedCall {
  readonly view: Readonly<Pick<TaskView, "id" | "class" | "context">>;
  /** Nothing of it may be stored. */
  readonly incognito: boolean;
  readonly step: number;
  /** Its start, epoch milliseconds. */
  readonly at: number;
  readonly model: string;
  /** The reasoning effort it was asked with; undefined: none, the provider's own. */
  readonly effort: ReasoningEffort | undefined;
  /** The byte-stable part of the system text: the persona, and what stands behind it. */
  readonly persona: string | undefined;
  /** The system text whole; it begins with `persona`. */
  readonly system: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly shown: number;
  readonly tools: readonly ModelTool[];
  readonly usage: TaskUsage | undefined;
}

/** What a turn asks for before its first model call, and again after a compaction. */
export interface RecallAsk {
  readonly view: Readonly<Pick<TaskView, "id" | "class" | "context">>;
  /** The newest message of the conversation. */
  readonly text: string;
  /** `RecalledMemory.refs` of what the model sees already. */
  readonly inSight: ReadonlySet<string>;
  /** Tokens of the window of the turn's model. */
  readonly windowTokens: number;
  /** The request brought what was said before: it is shown no lines of earlier conversations. */
  readonly brought?: boolean;
}

export interface TurnDeps {
  readonly db: Database;
  readonly journal: Journal;
  readonly conversations: ConversationCache;
  readonly clock: Clock;
  readonly toolbox: Toolbox;
  /** Calls that need no approval any more. */
  readonly grants: Pick<ApprovalGrants, "has">;
  /** The current enforcement settings (S8); undefined while there are none. */
  readonly enforcement: () => Enforcement | undefined;
  /** Whether a turn may waive approvals now (F12). */
  readonly bypassAllowed: () => boolean;
  /** Ids of rows, in the order they are made, so that inserts stay at one end of an index. */
  readonly newId: () => string;
  readonly limits: TurnLimits;
  /** Resolves a model value; undefined: the lead model. @throws ModelError */
  chooseModel(value: string | undefined): ChosenModel;
  /** Read before each model call (B56 `pruning`). */
  context(): ContextSettings;
  /** The persona, byte-stable between calls. */
  system(): string | undefined;
  /** What stands behind the persona in turns that lead; asked once a turn. Absent: nothing. */
  readonly systemText?: ((party: Party) => string | undefined) | undefined;
  /** How a task of this role runs; undefined for an unknown one. Called often, so it must not do I/O. */
  readonly role?: ((name: string) => TurnRole | undefined) | undefined;
  /** Tasks that calls start; absent: they start none. */
  readonly delegated?: DelegatedWork | undefined;
  /** The operator's log; goes through the redactor. */
  readonly log: EngineLog;
  /** Applied to the output of tools and models before it is journaled (S5). */
  readonly redactor: Pick<Redactor, "known" | "text">;
  /** The `traceparent` a model call carries; absent: none does. */
  readonly traceparent?: ((view: Readonly<TaskView>, call: string) => string) | undefined;
  /**
   * Recalls what the agent remembers for a turn of the operator, and what is open; undefined: nothing. It is waited for, so it ends by itself
   * soon, and it never rejects.
   */
  readonly recall?: ((ask: RecallAsk) => TurnContext | Promise<TurnContext | undefined> | undefined) | undefined;
  /** Receives what running calls say of their progress. Must not throw. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
  /** Called in the path of the turn with every model call that ended: microseconds, and it must not throw. */
  readonly onModelCall?: ((call: ObservedCall) => void) | undefined;
  /** Whether calls of a conversation may hold incognito texts now, also of a turn that was accepted before. */
  readonly showsIncognito?: ((of: Pick<TaskView, "class" | "context">) => boolean) | undefined;
}
