/** What a turn keeps for one batch: the tool calls of one assistant message. */
import type { AnyTool, ParkAnswer, PresentCall } from "@agent-service/plugin-sdk";
import type { CallOutcome, PromptReason, SkippedApproval } from "../../event/index.ts";
import type { ModelMessage, ModelToolCall } from "../../model/index.ts";

/** A tool call that was started and has no outcome yet. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly repeatable: boolean;
  readonly startedAt: number;
  readonly args: string;
  readonly digest: string;
  /** The call that made it; absent: the model did. */
  readonly parent?: string;
}

/** A call that may run. */
export interface RunnableCall {
  readonly call: ModelToolCall;
  readonly tool: AnyTool;
  /** What people read of it. */
  readonly present: PresentCall | undefined;
  readonly input: unknown;
  readonly digest: string;
  readonly canonical: string;
  /** Set when the call parked inside before: it continues from there. */
  readonly answer?: ParkAnswer;
  /** Put before the result: what a person changed, or their note. */
  readonly remark?: string;
  /** Set where no person is asked who would have been. */
  readonly skipped?: SkippedApproval;
  /** True: a crash left it open after it had kept a note, so it continues in `reattach`. */
  readonly reattaches?: true;
}

/** A call that another call made, stored or about to be (SC1). */
export interface InnerCall {
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly args: string;
  readonly digest: string;
  /** What a former run recorded; absent: nothing. */
  readonly recorded?: { readonly outcome: CallOutcome; readonly text: string };
}

/** A call whose start is journaled, or waits in the carry together with its row. */
export type StoredCall = Pick<OpenCall, "startedAt" | "repeatable">;

/**
 * An answer as its prompt's row has it: with `args`, canonical, where a person changed the call's. `seq`: the task's last
 * event before it, which orders the answers of a call that parked more than once; rows of former versions have none.
 */
export type StoredAnswer = ParkAnswer & { readonly args?: string; readonly seq?: number };

export interface CallAnswer {
  readonly reason: PromptReason;
  readonly answer: ParkAnswer;
}

/** The calls of one assistant message, from the reply until every call has a result. */
export interface CallBatch {
  readonly calls: readonly ModelToolCall[];
  /** By call id. */
  readonly results: Map<string, string>;
  /** Of results, in the order in which their rows are stored. */
  readonly images: ModelMessage[];
  /** Started, no outcome yet. */
  readonly openCalls: Map<string, OpenCall>;
  /** Calls whose row is stored or in the carry; the others' intent shares the outcome's commit (EN5). */
  readonly rows: Map<string, StoredCall>;
  /** Calls that may have happened although no outcome of theirs is stored (R3). */
  crashed: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, CallAnswer>;
  /** Calls that a person approved, crashed ones included. */
  readonly approved: ReadonlySet<string>;
  /** Canonical arguments edited by a person, by call id (O3); undefined: none were. */
  readonly edits: ReadonlyMap<string, string> | undefined;
  /**
   * Answers to calls that parked inside, oldest first: such a call continues in `resume`, never from its top (A13).
   */
  readonly insideAnswers: ReadonlyMap<string, readonly ParkAnswer[]>;
  /** Calls that said that what they return comes from outside. */
  readonly outside: Set<string>;
  /** What calls kept, as JSON, by call id: durable, and from a former process too. */
  readonly notes: Map<string, string>;
  /**
   * Calls that calls of the batch made, by id: their results, rows and answers are beside those of the batch, so that they
   * are decided and closed as those are (SC1, SC4).
   */
  readonly inner: Map<string, InnerCall>;
}

const NONE: ReadonlySet<string> = new Set();
const NO_ANSWERS: ReadonlyMap<string, CallAnswer> = new Map();
const NO_INSIDE_ANSWERS: ReadonlyMap<string, readonly ParkAnswer[]> = new Map();

/** The batch of a reply that was just read. */
export function newBatch(calls: readonly ModelToolCall[]): CallBatch {
  return {
    calls,
    results: new Map(),
    images: [],
    openCalls: new Map(),
    rows: new Map(),
    crashed: NONE,
    answers: NO_ANSWERS,
    approved: NONE,
    edits: undefined,
    insideAnswers: NO_INSIDE_ANSWERS,
    outside: new Set(),
    notes: new Map(),
    inner: new Map(),
  };
}
