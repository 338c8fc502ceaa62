/**
 * The journal's vocabulary: everything that happens to a task, as numbered events (R1, R2; EN1, EN2).
 * Surfaces read these; none of them is shaped for one surface.
 */

import type { ComponentOutput } from "@agent-service/plugin-sdk";
import type { PendingPrompt } from "./prompt.ts";
import type { RecallRecord } from "./recall-record.ts";

/** Content a caller sends. `bytes` is base64. */
export type InputPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "data"; readonly data: unknown; readonly mediaType?: string }
  | { readonly kind: "file"; readonly name?: string; readonly mediaType: string; readonly bytes: string };

/** One message from outside. */
export interface InputMessage {
  readonly messageId: string;
  readonly parts: readonly InputPart[];
  readonly metadata?: { readonly [key: string]: unknown };
}

/** What started a task (R1). `auxiliary`: the service for itself, such as a chat's title; it is no turn of anyone. */
export type TaskOrigin =
  | "a2a"
  | "chat"
  | "v1"
  | "schedule"
  | "watch"
  | "inbox"
  | "goal"
  | "background"
  | "subagent"
  | "auxiliary"
  | "board"
  | "operator"
  | "embed";

/** Why a task started that no message of its conversation asked for. */
export interface TaskProvenance {
  /** What started it, for example `inbox:12`. */
  readonly trigger: string;
  /** How urgent it was, as named by what started it. */
  readonly priority?: string;
}

/** States of a task. `queued`, `running` and `parked` are open; the other three are terminal and absorbing (EN3). */
export type TaskState = "queued" | "running" | "parked" | "completed" | "failed" | "canceled";

/** Token account of a task: the sum over every model call, failed ones included (A11). */
export interface TaskUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Calls, tokens and estimated cost of one model in a task. */
export interface ModelAccount {
  readonly model: string;
  /** Calls that ended, failed ones included. */
  readonly calls: number;
  readonly usage: TaskUsage;
  /** US dollars, estimated; null where a call used tokens whose price is not known. */
  readonly costUsd: number | null;
}

/** How a tool call ended. `unknown`: it may or may not have happened (R3). */
export type CallOutcome = "ok" | "error" | "denied" | "aborted" | "unknown";

/** Content of an answer. */
export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "data"; readonly data: unknown; readonly mediaType: string };

/** A tool call that ended. */
export interface ToolAccount {
  readonly name: string;
  readonly ms: number;
}

/** Why a task failed; `code` is stable, `message` is for people and holds no secret. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
  /** HTTP status of the provider, where one answered. */
  readonly upstreamStatus?: number;
  /** The provider's Retry-After, in seconds. */
  readonly retryAfterSeconds?: number;
}

/** Totals written with every terminal event. */
export interface TaskTotals {
  readonly usage: TaskUsage;
  /** Milliseconds from acceptance to the end, parked time left out. */
  readonly durationMs: number;
  /** An estimate in US dollars; absent where a price is not known, or no call reported its tokens. */
  readonly costUsd?: number;
}

/** The tool call that another task was started by. */
export interface TaskParent {
  readonly task: string;
  readonly call: string;
}

/** A task that a call delegated to has ended: its account is the delegating task's too (A11). */
export interface DelegationFinished {
  readonly kind: "delegation.finished";
  readonly call: string;
  /** The task that did the work. */
  readonly task: string;
  readonly state: TaskState;
  readonly models: readonly ModelAccount[];
}

/**
 * Why no person is asked about a call. `bypass`: the operator waived the turn's approvals. `rule`: the settings allow it,
 * by the entry that `rule` quotes. `grant`: the same call was approved for the future.
 */
export type SkippedApproval =
  | { readonly by: "bypass" | "grant"; readonly rule?: never }
  | { readonly by: "rule"; readonly rule: string };

/** An image of a call's result. */
export interface CallImage {
  /** Of a picture that browsers show without running any of it. */
  readonly mediaType: string;
  readonly bytes: number;
}

/** One event's content. */
export type TaskEvent =
  /** Always number 1. */
  | {
      readonly kind: "task.accepted";
      readonly context: string;
      readonly class: string;
      readonly origin: TaskOrigin;
      readonly input: InputMessage;
      readonly state: "queued" | "running";
      /** The caller's `traceparent` (W3C Trace Context), where it sent one. */
      readonly trace?: string;
      /** The call it was started by, where one did. Of origin `subagent` it belongs to that call and ends with its task. */
      readonly parent?: TaskParent;
      /** The role it runs in (B53 `subagents`); absent: it leads. */
      readonly role?: string;
      readonly provenance?: TaskProvenance;
    }
  | { readonly kind: "task.started" }
  /** A restart found the task and continues it. */
  | { readonly kind: "task.resumed" }
  | { readonly kind: "model.started"; readonly call: string; readonly step: number; readonly model: string }
  | { readonly kind: "model.retried"; readonly call: string; readonly code: string; readonly waitMs: number }
  /** The call before failed before its first event; the next one goes to another model (B65 `routing.fallback_models`). */
  | { readonly kind: "model.fallback"; readonly from: string; readonly to: string; readonly code: string }
  | {
      readonly kind: "model.finished";
      readonly call: string;
      readonly step: number;
      readonly model: string;
      /** The reasoning effort it was sent with; absent: none, so the provider's own. */
      readonly effort?: string;
      readonly finish: string;
      readonly usage?: TaskUsage;
      /** An estimate in US dollars; absent where no price is known. */
      readonly costUsd?: number;
      readonly ms: number;
      readonly toolCalls?: readonly { readonly id: string; readonly name: string }[];
    }
  | {
      readonly kind: "model.failed";
      readonly call: string;
      readonly step: number;
      readonly model: string;
      readonly effort?: string;
      readonly failure: TaskFailure;
      readonly usage?: TaskUsage;
      readonly costUsd?: number;
      readonly ms: number;
    }
  /** `begins`: no text of the answer comes before it, as at the start and after a reset. */
  | { readonly kind: "text.delta"; readonly text: string; readonly begins?: true }
  /** The text so far was not the answer (A6). */
  | { readonly kind: "text.reset" }
  | { readonly kind: "reasoning.delta"; readonly text: string }
  | {
      readonly kind: "tool.started";
      readonly call: string;
      readonly name: string;
      /** Arguments as JSON text, at most 800 characters; the call's row has them whole. */
      readonly args: string;
      /** What people read of it while it runs, in the tool's words; absent where the tool has none. */
      readonly title?: string;
      readonly parentCall?: string;
    }
  | {
      readonly kind: "tool.finished";
      readonly call: string;
      readonly name: string;
      readonly outcome: CallOutcome;
      /** At most 800 characters; the call's row has it whole. */
      readonly result: string;
      /** What people read of it: what it did, or what it was about to do where it failed. */
      readonly title?: string;
      readonly ms: number;
      readonly parentCall?: string;
      /** Those of its result, which the conversation holds. */
      readonly images?: readonly CallImage[];
    }
  /** The call runs without asking a person, who would have been asked of it (F12). Follows its start. */
  | ({ readonly kind: "approval.skipped"; readonly call: string; readonly name: string } & SkippedApproval)
  | DelegationFinished
  | { readonly kind: "component.shown"; readonly call: string; readonly component: ComponentOutput }
  /** Steering that the next model call reads (R8). */
  | { readonly kind: "input.consumed"; readonly inputs: readonly InputMessage[] }
  | { readonly kind: "guard.noted"; readonly guard: string; readonly text: string }
  /** Older results were shortened in what the model is shown; `chars` is what that saved (B56 `pruning`). */
  | { readonly kind: "context.pruned"; readonly results: number; readonly chars: number }
  /** A summary of `chars` characters replaces messages that are not shown any more (B57 `compaction`). */
  | {
      readonly kind: "context.compacted";
      readonly summarised: number;
      readonly kept: number;
      readonly chars: number;
    }
  /** The oldest messages shown went out of the model's sight without a summary; `outOfSight` counts all that ever did. */
  | {
      readonly kind: "context.cut";
      readonly left: number;
      readonly kept: number;
      readonly outOfSight: number;
    }
  | ({ readonly kind: "context.recalled" } & RecallRecord)
  /** `prompts[0]` is the one shown; the others wait behind it, in call order. */
  | { readonly kind: "task.parked"; readonly prompts: readonly PendingPrompt[] }
  /** A reply that did not fit; the prompt stays and is shown again with the reason. */
  | { readonly kind: "prompt.rejected"; readonly prompt: PendingPrompt; readonly reason: string }
  | {
      readonly kind: "prompt.answered";
      readonly promptId: string;
      readonly answer: InputMessage;
      readonly state: "queued" | "running" | "parked";
    }
  /** The task ends before a person decided. */
  | { readonly kind: "prompt.withdrawn"; readonly promptId: string }
  /**
   * Replaces the steps of a turn that retention removed, with their totals (R14). Written by retention alone, under the
   * number of the last of them.
   */
  | {
      readonly kind: "detail.removed";
      /** Model calls. */
      readonly steps: number;
      readonly models: readonly ModelAccount[];
      /** Tokens of the largest request. */
      readonly contextTokens: number;
      /** The newest 500 calls that ended, in order. */
      readonly toolCalls: readonly ToolAccount[];
    }
  /** The whole answer; replaces whatever text was streamed. */
  | { readonly kind: "answer"; readonly parts: readonly AnswerPart[] }
  | ({ readonly kind: "task.completed"; readonly note?: string } & TaskTotals)
  | ({ readonly kind: "task.failed"; readonly failure: TaskFailure } & TaskTotals)
  | ({ readonly kind: "task.canceled" } & TaskTotals);

/** Names of the events. */
export type TaskEventKind = TaskEvent["kind"];

/** An event after its commit. The same object is handed to every reader of a live task. */
export interface CommittedEvent {
  /** 1, 2, 3… within the task, without gaps (EN2). */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly event: TaskEvent;
}

/** True for the three states that nothing leaves (EN3). */
export function isTerminalState(state: TaskState): boolean {
  return state === "completed" || state === "failed" || state === "canceled";
}
