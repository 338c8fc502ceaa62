/**
 * What a turn's loop keeps, by how long it lives: for the turn, for one step (a model call) or for one batch (the tool
 * calls of one assistant message). Functions take the parts they use.
 */
import type { Fit, MessageForms } from "../context/index.ts";
import type { Statement } from "../database/index.ts";
import type { TaskEvent, TaskUsage } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import type { ModelMessage } from "../model/index.ts";
import type { ShownTools } from "../tool/index.ts";
import type { CallBatch } from "./batch/call-batch.ts";
import type { StepState } from "./step/step-state.ts";
import type { TaskOptions } from "./task-options.ts";
import type { ChosenModel } from "./turn-deps.ts";

/** Steering that waits to be read, already durable. */
export interface SteeringRow {
  readonly id: string;
  readonly body: string;
}

/** A slot among the turns that work at a time: held while calls run, released while the model is waited for (S7). */
export interface WorkingSlot {
  /** A promise where the turn has to wait; it also resolves when the turn is aborted. */
  acquire(): Promise<void> | undefined;
  /** `messages`: what the turn still holds of its conversation. */
  release(messages: readonly ModelMessage[]): void;
}

/** Events and statements that wait for the next commit of the turn. */
export interface Carry {
  events: TaskEvent[];
  statements: Statement[];
}

/** What a turn starts from; it never changes. */
export interface TurnStart {
  readonly record: TaskRecord;
  readonly options: TaskOptions;
  /** Aborted on cancel, silence and shutdown; reaches the model's socket and every tool. */
  readonly signal: AbortSignal;
  readonly slot: WorkingSlot;
  /** Takes the steering that waits for this context; the caller deletes the rows in its next commit. */
  takeSteering(): readonly SteeringRow[];
}

/** What the model is shown, and what was done to make it fit. */
export interface ShownConversation {
  messages: ModelMessage[];
  /** The forms adapters made of the messages in former turns; undefined: none are kept. */
  forms: MessageForms | undefined;
  /** How far `messages` has been measured; undefined once it was replaced. */
  fit: Fit | undefined;
  /** `messages` exceeds the bounds of what is shown; its start moves before the next model call. */
  exceedsBounds: boolean;
  /** What `messages` hold of what was recalled. */
  inSight: ReadonlySet<string>;
  /** It holds content from outside (K8); what the turn adds included. */
  tainted: boolean;
  /** The turn has recalled what it remembers; false again once a summary replaced messages. */
  hasRecalled: boolean;
  /** The tools shown beyond the toolbox's own, cached by the names that were found. */
  foundTools: { readonly key: string; readonly base: ShownTools; readonly shown: ShownTools } | undefined;
  /** What stands behind the persona; undefined until it was asked for, blank for nothing. It stays for the turn. */
  behindPersona: string | undefined;
  /** A context overflow was recovered from in this turn; the next one fails it. */
  overflowed: boolean;
  /** A compaction was tried in this turn without success. */
  compactionFailed: boolean;
}

/** Which model serves the turn. */
export interface ModelRouting {
  /** Undefined until the first model call. */
  chosen: ChosenModel | undefined;
  /** 0: the chosen model serves; else its fallback of that number. */
  fallback: number;
  /** Names of the models that refused this turn's images. */
  refusedImages: readonly string[];
  /** The journal has the event that images are left out. */
  imagesNoted: boolean;
  /** Names of the models that refused this turn's reasoning effort. */
  refusedEffort: readonly string[];
  /** The journal has the event that the effort is left out. */
  effortNoted: boolean;
}

/** What limits are checked against. */
export interface TurnCounts {
  /** Tool rounds so far. */
  rounds: number;
  /** Repair rounds of a structured answer. */
  repairs: number;
  /** Tail of identical calls: what it was, how often, and whether the model was warned. */
  repeat: { readonly key: string; readonly count: number; readonly noted: boolean };
  /** Steps in which an unattended turn asked a question in vain, and the last of them (R7). */
  unanswered: { readonly step: number; readonly times: number };
}

/** What the turn has used. */
export interface TurnAccount {
  usage: TaskUsage;
  /** Tasks that calls of this turn delegated to and whose usage is in `usage`; undefined: none yet. */
  billed: Set<string> | undefined;
}

/** One value per turn, owned by its loop. */
export interface TurnState extends TurnStart {
  readonly conversation: ShownConversation;
  readonly routing: ModelRouting;
  readonly counts: TurnCounts;
  readonly account: TurnAccount;
  readonly step: StepState;
  /** Undefined while no calls of an assistant message lack a result. */
  batch: CallBatch | undefined;
  /** The result of a call that ends the turn (`endsTurn` of its tool); undefined: none did. */
  endedBy: string | undefined;
  carry: Carry;
  /** Clock time of the last sign of life. */
  aliveAt: number;
}

/** What a commit needs of a turn. */
export type CommittingTurn = Pick<TurnState, "record" | "signal" | "carry">;

/** Returns what waits and leaves the carry empty. */
export function takeCarry(state: Pick<TurnState, "carry">): Carry {
  const carry = state.carry;
  state.carry = { events: [], statements: [] };
  return carry;
}
