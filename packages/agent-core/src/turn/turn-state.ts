/** The small state value the loop steps over, and what the loop is given. */
import type { ParkAnswer } from "@agent-service/plugin-sdk";
import type { ApprovalGrants } from "../approval/index.ts";
import type { Clock } from "../clock/index.ts";
import type { ContextSettings, ConversationCache, Fit, MessageForms } from "../context/index.ts";
import type { Database, Statement } from "../database/index.ts";
import type { PromptReason, TaskEvent, TaskUsage, TaskView } from "../event/index.ts";
import type { Journal, TaskRecord } from "../journal/index.ts";
import type {
  ImageSupport,
  KnownPrice,
  Model,
  ModelError,
  ModelMessage,
  ModelSettings,
  ModelTool,
  ModelToolCall,
  ModelUse,
} from "../model/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Enforcement, ShownTools, Toolbox } from "../tool/index.ts";
import type { DelegatedWork } from "./delegated-work.ts";
import type { TaskOptions } from "./task-options.ts";
import type { TurnLimits } from "./turn-limits.ts";
import type { TurnRole } from "./turn-role.ts";

/** A model with the name and settings it is called with. */
export interface ChosenModel {
  readonly model: Model;
  /** The model's name at its provider. */
  readonly name: string;
  readonly settings: ModelSettings;
  /** Tokens of its window (ruling R13). */
  readonly windowTokens: number;
  /** What it costs; absent: not known. */
  readonly price?: KnownPrice | undefined;
  /**
   * What the operator can do about a failure, in one line; undefined: nothing beyond what it says itself. Told to the
   * operator only: it may name addresses and files.
   */
  explain?(error: ModelError): string | undefined;
  /** Whether it takes images; absent: not known (ruling R13). */
  readonly images?: ImageSupport;
  /** Slash commands that are its own (ruling R10), without the slash. */
  readonly commands?: readonly string[] | undefined;
  /** Told while a turn holds it, so that what it calls with can be freed afterwards. */
  readonly use?: ModelUse;
  /** Who goes on when it fails before it has said anything, in order (document 3 `routing.fallback_models`). */
  readonly fallbacks?: readonly ChosenModel[];
}

/**
 * A model call that ended, for who looks at what models are shown. It holds the turn's own values, not copies: of
 * `messages` the first `shown` were sent.
 */
export interface ObservedCall {
  readonly view: Readonly<TaskView>;
  /** Nothing of it may be kept. */
  readonly incognito: boolean;
  readonly step: number;
  /** When it began, epoch milliseconds. */
  readonly at: number;
  readonly model: string;
  /** The byte-stable part of the system text. */
  readonly persona: string | undefined;
  /** The system text whole; it begins with `persona`. */
  readonly system: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly shown: number;
  readonly tools: readonly ModelTool[];
  readonly usage: TaskUsage | undefined;
}

/** What a turn uses. */
export interface TurnDeps {
  readonly db: Database;
  readonly journal: Journal;
  readonly conversations: ConversationCache;
  readonly clock: Clock;
  readonly toolbox: Toolbox;
  /** Calls that need no approval any more. */
  readonly grants: Pick<ApprovalGrants, "has">;
  /** What settings say about calls, of the moment (ruling S8); undefined while they say nothing. */
  readonly enforcement: () => Enforcement | undefined;
  /** Ids of rows, in the order they are made, so that inserts stay at one end of an index. */
  readonly newId: () => string;
  readonly limits: TurnLimits;
  /** Resolves a model value; undefined: the lead model. @throws ModelError */
  chooseModel(value: string | undefined): ChosenModel;
  /** Asked before each model call (document 3 `pruning`). */
  context(): ContextSettings;
  /** The system text, byte-stable between calls. */
  system(): string | undefined;
  /** How a task of this role runs; undefined for one that is not known. Asked often, so it answers from memory. */
  readonly role?: ((name: string) => TurnRole | undefined) | undefined;
  /** What calls hand to tasks of their own; absent: they hand out nothing. */
  readonly delegated?: DelegatedWork | undefined;
  /** For operators; goes through the redactor. */
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Sits between what tools and models say of themselves and the journal (ruling S5). */
  readonly redactor: Pick<Redactor, "known" | "text">;
  /** The `traceparent` a model call carries; absent: none does. */
  readonly traceparent?: ((view: Readonly<TaskView>, call: string) => string) | undefined;
  /** Told of every model call that ended, in the path of the turn: microseconds, and it must not throw. */
  readonly onModelCall?: ((call: ObservedCall) => void) | undefined;
}

/** Steering that waits to be read, already durable. */
export interface SteeringRow {
  readonly id: string;
  readonly body: string;
}

/** Where a turn works: held while its calls run, given back while it waits for its model (ruling S7). */
export interface WorkingPlace {
  /** Takes it; a promise where the turn has to wait, which also resolves when the turn is aborted. */
  take(): Promise<void> | undefined;
  /** Gives it back. `messages`: what the turn goes on holding of its conversation. */
  giveBack(messages: readonly ModelMessage[]): void;
}

/** A tool call that was started and has no outcome yet. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly repeatable: boolean;
  readonly startedAt: number;
  readonly args: string;
  readonly digest: string;
}

/** A call whose start the journal tells, or is about to tell together with its row. */
export type StoredCall = Pick<OpenCall, "startedAt" | "repeatable">;

/**
 * An answer as its prompt's row has it: with `args`, canonical, where a person changed the call's. `seq`: the task's last
 * event before it, which orders the answers of a call that parked more than once; rows of former versions have none.
 */
export type StoredAnswer = ParkAnswer & { readonly args?: string; readonly seq?: number };

/** A person's answer to a call of this step. */
export interface CallAnswer {
  readonly reason: PromptReason;
  readonly answer: ParkAnswer;
}

/** Events and statements that wait for the next commit of the turn. */
export interface Carry {
  events: TaskEvent[];
  statements: Statement[];
}

/** The state. One value per turn, owned by its loop. */
export interface TurnState {
  readonly record: TaskRecord;
  readonly options: TaskOptions;
  /** Aborted on cancel, silence and shutdown; reaches the model's socket and every tool. */
  readonly signal: AbortSignal;
  readonly place: WorkingPlace;
  /** Undefined until the first model call. */
  chosen: ChosenModel | undefined;
  /** What the model is shown. */
  messages: ModelMessage[];
  /** What former turns made of the messages; undefined: nothing is kept of them. */
  forms: MessageForms | undefined;
  /** The tools shown beyond the toolbox's own, made when first one was found. */
  foundTools: { readonly key: string; readonly base: ShownTools; readonly shown: ShownTools } | undefined;
  /** How far `messages` has been measured; undefined once it was replaced. */
  fit: Fit | undefined;
  /** Model calls so far. */
  step: number;
  /** Tool rounds so far. */
  rounds: number;
  usage: TaskUsage;
  /** Tasks that calls of this turn delegated to and whose account is in `usage`; undefined: none yet. */
  billed: Set<string> | undefined;
  /** Calls of the last assistant message while some lack an outcome. */
  calls: readonly ModelToolCall[];
  /** Results of this step by call id. */
  results: Map<string, string>;
  /** Started, no outcome yet. */
  openCalls: Map<string, OpenCall>;
  /** Calls of this step whose row stands or waits in the carry; the others' intent shares the outcome's commit (E5). */
  rows: Map<string, StoredCall>;
  /** Calls a crash left open: rows without outcome at the time the turn was restored (ruling R3). */
  crashed: ReadonlySet<string>;
  answers: Map<string, CallAnswer>;
  /** By call id, canonical arguments that a person put in the place of the model's (ruling O3); undefined: none did. */
  edits: ReadonlyMap<string, string> | undefined;
  /**
   * What people answered to calls that parked inside, oldest first: such a call goes on in `resume`, never from its top
   * (A13).
   */
  insideAnswers: ReadonlyMap<string, readonly ParkAnswer[]>;
  /** The result of a call that ends the turn (`endsTurn` of its tool); undefined: none did. */
  endedBy: string | undefined;
  /** The model call in progress, its intent durable. */
  modelCall:
    | { readonly call: string; readonly step: number; readonly model: string; readonly startedAt: number }
    | undefined;
  /** Which model serves the turn: 0 the chosen one, else its fallback of that number. */
  serving: number;
  carry: Carry;
  /** Text deltas of the current step were shown to somebody. */
  deltasShown: boolean;
  compacted: boolean;
  /** What is shown is beyond its bounds; its start moves before the next model call. */
  beyond: boolean;
  /** Models that refused this turn's images, and whether the journal says that images are left out. */
  blind: readonly string[];
  imagesNoted: boolean;
  /** A compaction was tried in this turn and came to nothing. */
  compactionFailed: boolean;
  repairs: number;
  /** Tail of identical calls: what it was, how often, and whether the model was told. */
  repeat: { key: string; count: number; noted: boolean };
  /** Steps in which an unattended turn asked a question in vain, and the last of them (ruling R7). */
  unanswered: { readonly step: number; readonly times: number };
  /** Takes the steering that waits for this context; the caller deletes the rows in its next commit. */
  takeSteering(): readonly SteeringRow[];
  /** Clock time of the last sign of life. */
  aliveAt: number;
}

/** Moves what waits into a change and leaves the carry empty. */
export function takeCarry(state: TurnState): Carry {
  const carry = state.carry;
  state.carry = { events: [], statements: [] };
  return carry;
}
