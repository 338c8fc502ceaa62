/**
 * The tool contract (document 3 "Tool catalogue"; rulings R3, R4, A13). A tool is a value, not a class: a name, a
 * schema, what repeating it would mean, and a function.
 */
import type { GenericSchema } from "valibot";
import type { Park, ParkAnswer } from "./park.ts";

/**
 * What a second call with the same input would mean (ruling R3).
 * - `pure`: reads only; may be called again at will.
 * - `idempotent`: changes something, but the same idempotency key changes it once.
 * - `effect`: changes something each time. The default.
 */
export type Effect = "pure" | "idempotent" | "effect";

/** Where a tool writes what an operator may want to read; goes through the host's redactor. */
export interface ToolLog {
  info(message: string): void;
  warn(message: string): void;
}

/** On whose behalf a call is made. */
export interface ToolCaller {
  /** `operator`, or `federation` for a peer: what belongs to the operator is not for peers. */
  readonly class: string;
  /** No person follows the turn: a question would not be answered. Approvals wait in the approvals inbox. */
  readonly unattended: boolean;
  /** Nothing of the turn may be kept beyond its session. */
  readonly incognito: boolean;
}

/** What a running call is given. */
export interface ToolContext {
  /** Unique per call and stable over restarts: use it as the idempotency key of what the call does. */
  readonly callId: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly caller: ToolCaller;
  /** Aborted on cancel, timeout and shutdown. A tool that ignores it is abandoned, its outcome `unknown`. */
  readonly signal: AbortSignal;
  readonly log: ToolLog;
  /** The host's clock. */
  now(): Date;
}

/** A native component for clients that can draw it (document 3, `show_component`). */
export interface ComponentOutput {
  readonly component: string;
  readonly props: unknown;
  readonly title?: string;
}

/** A result with more than its value: `text` is what the model reads. */
export interface ToolResult {
  readonly type: "tool-result";
  readonly text: string;
  readonly component?: ComponentOutput;
}

/** What a call may come to: text, any JSON value (the model reads its JSON), a `toolResult(...)`, or a `park.*(...)`. */
export type ToolOutput = string | number | boolean | null | object;

/** Makes a result with a component beside the text the model reads. */
export function toolResult(result: Omit<ToolResult, "type">): ToolResult {
  return { type: "tool-result", ...result };
}

/** What a person is asked before a call runs. */
export interface ApprovalRequest {
  readonly title: string;
  readonly detail: string;
  /** Asked every time: no approval of the same call that was remembered stands for this one. */
  readonly always?: boolean;
}

/** A tool. */
export interface ToolDefinition<Input = unknown> {
  /** `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** What the model reads to decide. */
  readonly description: string;
  /** Arguments; validated before anything else happens. */
  readonly input: GenericSchema<unknown, Input>;
  /** Default `effect`. */
  readonly effect?: Effect;
  /** True: it does not exist in the tasks of peers, which hold a federation token; the model is not shown it there. */
  readonly operatorOnly?: boolean;
  /**
   * True: once a call of it has come to a result, the turn ends without asking the model again. The answer is what the
   * model said with the call, else the result. A turn whose answer must fit a schema goes on.
   */
  readonly endsTurn?: boolean;
  /** Milliseconds; default 120,000; `null` for a tool that keeps a limit of its own. */
  readonly timeoutMs?: number | null;
  /** Return a request to have a person approve these exact arguments first (ruling A13). */
  approval?(input: Input, context: ToolContext): ApprovalRequest | undefined | Promise<ApprovalRequest | undefined>;
  /**
   * Asked when it is not known whether a call happened: return what it came to if it did, `undefined` if it did not,
   * throw if that cannot be told (a person is asked then). Ruling R3.
   */
  reconcile?(input: Input, context: ToolContext): Promise<ToolOutput | undefined>;
  /** Runs the call. Never run again from its top once it has parked. */
  run(input: Input, context: ToolContext): ToolOutput | Park | Promise<ToolOutput | Park>;
  /** Goes on after `run` parked and a person answered. Absent: the answer itself is the result. */
  resume?(input: Input, answer: ParkAnswer, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

/** A tool whose input type no longer matters: what registries hold. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds tools of every input type; run() is contravariant in it
export type AnyTool = ToolDefinition<any>;

/** Types a tool from its schema; returns it unchanged. */
export function defineTool<Input>(tool: ToolDefinition<Input>): ToolDefinition<Input> {
  return tool;
}
