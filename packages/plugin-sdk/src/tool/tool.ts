/** The tool contract (R3, R4, A13). A tool is a value: a name, a schema, what repeating it would mean, and a function. */
import type { GenericSchema } from "valibot";
import type { Park, ParkAnswer } from "./park.ts";
import type { ToolPresentation } from "./present.ts";
import type { ToolPreview } from "./preview.ts";

/**
 * What a second call with the same input would mean (R3).
 * - `pure`: reads only; may be called again at will.
 * - `idempotent`: changes something, but the same idempotency key changes it once.
 * - `effect`: changes something each time. The default.
 */
export type Effect = "pure" | "idempotent" | "effect";

/**
 * Whose turns have a tool.
 * - `lead`: turns of the operator's conversations, and tasks that the operator's jobs start.
 * - `subagents`: tasks that a call delegated to.
 * - `peers`: tasks of callers that hold a federation token. A subagent that works for a peer has only tools that name
 *   both.
 */
export type ToolAudience = "lead" | "subagents" | "peers";

/**
 * Where a result's content comes from: the operator and the agent (`own`), or the `outside`: pages, mail, other agents,
 * programs of others.
 */
export type ToolContent = "own" | "outside";

/** Where a tool writes what an operator may want to read; secrets are taken out of it. */
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
  /**
   * The operator waived the approvals of this turn that can be waived. Read anew for every call; never true in a
   * peer's turn or in an unattended one.
   */
  readonly bypass: boolean;
  /** The conversation holds content from outside, so that what the agent writes may follow that content. */
  readonly tainted: boolean;
}

/** How a call that a call made ended. */
export type InnerOutcome =
  | {
      readonly kind: "ended";
      readonly ok: boolean;
      /** What a model would read of it. */
      readonly text: string;
    }
  /** A person is asked first: the call that made it waits too. What its tool returns now is not used. */
  | { readonly kind: "waits" };

/**
 * The calls that a call makes. Each is a call of the turn: its arguments are validated, settings and approvals hold for it,
 * and it is journaled. A call is known by its tool, its arguments and how many equal ones the same run made before it, so
 * a run from the top gets the recorded outcomes of the calls that were made already, and makes only the others.
 */
export interface InnerCalls {
  /** The tools that can be called: those of the turn without those that make calls themselves or end the turn. */
  readonly names: readonly string[];
  /** When the calling call was first started. */
  readonly startedAt: Date;
  /** Makes a call; `args` are JSON text. Rejects only where the turn has ended: the tool has to end then. */
  call(name: string, args: string): Promise<InnerOutcome>;
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
  /**
   * Reports that the call still works. A turn that shows no sign of life for 15 minutes is ended; this is one. It does
   * not lengthen `timeoutMs`. `text` is for people who watch: at most 500 characters, and of several within 250 ms
   * the newest; it is kept nowhere. Free to call often; does nothing once the call has ended.
   */
  progress(text?: string): void;
  /**
   * Answers that people gave to earlier parks of this call, oldest first: by them a `resume` that parks again
   * knows which of its questions was answered. Empty in `run`; without the answer that `resume` is given; all of them
   * in `reattach`.
   */
  readonly earlierAnswers: readonly ParkAnswer[];
  /**
   * Stores a JSON value of at most 64 KiB with the call, replacing the one before; durable when it resolves. For the
   * handle of work that runs elsewhere. The note stays while the call waits for a person, and goes when it has ended,
   * unless its outcome is unknown. It is stored as it is: put no secret in it. Rejects for what is no JSON or too large, and
   * where the call does not run: in `approval`, `preview` and `reconcile`, and after its end.
   */
  keep(note: unknown): Promise<void>;
  /** The value that was kept last, also by a former process; undefined: none was. */
  readonly kept?: unknown;
  /**
   * Says that what this call returns comes from outside, where only some of a tool's results do. Does nothing for a tool
   * whose `content` is `outside`.
   */
  fromOutside(): void;
  /** Calls of other tools; present where the tool declares `callsTools` and the host can make them. */
  readonly calls?: InnerCalls;
}

/** A native component for clients that can draw it. */
export interface ComponentOutput {
  readonly component: string;
  readonly props: unknown;
  readonly title?: string;
}

/** An image of a result: png, jpeg, gif or webp. */
export interface ToolImage {
  readonly mimeType: string;
  /** The bytes, or their base64 without a prefix. */
  readonly data: string | Uint8Array;
}

/** A result with more than its value: `text` is what the model reads. */
export interface ToolResult {
  readonly type: "tool-result";
  readonly text: string;
  /**
   * Shown, behind the result, to models that take images; the others read a note for each. At most 4, of at most 4 MiB
   * each; the model reads what was left out.
   */
  readonly images?: readonly ToolImage[];
  readonly component?: ComponentOutput;
}

/** What a call may return: text, any JSON value (the model reads its JSON), a `toolResult(...)`, or a `park.*(...)`. */
export type ToolOutput = string | number | boolean | null | object;

/** Makes a result with a component beside the text the model reads. */
export function toolResult(result: Omit<ToolResult, "type">): ToolResult {
  return { type: "tool-result", ...result };
}

/** What a person is asked before a call runs. */
export interface ApprovalRequest {
  readonly title: string;
  readonly detail: string;
  /** Asked every time: no approval of the same call that was remembered holds for this one. */
  readonly always?: boolean;
  /**
   * A turn whose operator waived approvals (`caller.bypass`) runs the call without asking, which is journaled. Default
   * false: it asks. Does nothing where `always` is set.
   */
  readonly bypassable?: boolean;
  /**
   * What of the settings allows exactly this call already, for example the entry of a list that it fits: it runs without
   * asking, which is journaled with this text. Does nothing where `always` is set.
   */
  readonly allowedBy?: string;
}

/** A tool: what the model reads about it, its arguments, who may use it, and `run`. */
export interface ToolDefinition<Input = unknown> {
  /** `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** What the model reads to decide. */
  readonly description: string;
  /** Arguments; validated before anything else happens. */
  readonly input: GenericSchema<unknown, Input>;
  /** Default `effect`. */
  readonly effect?: Effect;
  /**
   * True, of an `idempotent` tool: its input alone does not make it one, so a call with another idempotency key changes
   * something again. A turn that made such a call is not tried again on its own, just as after an effect (G5, G7). Default false.
   */
  readonly oncePerCall?: boolean;
  /** Default: all. In other turns the tool does not exist: the model is not shown it and cannot call it. */
  readonly availableTo?: readonly ToolAudience[];
  /** Default `outside`. */
  readonly content?: ToolContent;
  /** The model is shown it once it has searched for it, unless the settings show all tools. Default false. */
  readonly deferred?: boolean;
  /** What people read of its calls. */
  readonly present?: ToolPresentation;
  /**
   * True: once a call of it has succeeded, the turn ends without asking the model again. The answer is the text the
   * model wrote with the call, else the result. A turn whose answer must fit a schema continues.
   */
  readonly endsTurn?: boolean;
  /**
   * True: the tool makes calls of other tools (`context.calls`). It must be `pure` or `idempotent`, because it runs again
   * from its top after a call of it waited for a person, and after a restart.
   */
  readonly callsTools?: boolean;
  /** Milliseconds; default 120,000; `null` for a tool that keeps a limit of its own. */
  readonly timeoutMs?: number | null;
  /** Return a request to have a person approve these exact arguments first (A13). */
  approval?(input: Input, context: ToolContext): ApprovalRequest | undefined | Promise<ApprovalRequest | undefined>;
  /**
   * Shows the person who approves what the call would do: see `KnownPreview`. Made when the call is asked about and each
   * time a person looks at it, so it must change nothing; it has 10 seconds.
   */
  preview?(input: Input, context: ToolContext): ToolPreview | undefined | Promise<ToolPreview | undefined>;
  /**
   * Asked when it is not known whether a call happened: return its result if it did, `undefined` if it did not,
   * throw if that cannot be found out (a person is asked then). R3.
   */
  reconcile?(input: Input, context: ToolContext): Promise<ToolOutput | undefined>;
  /**
   * True: `reconcile` is also right while a call that was aborted still ends, because nothing of it changes anything after
   * `reconcile` has answered. The same call is then asked about only where `reconcile` throws for the aborted one.
   */
  readonly reconcilesAborted?: boolean;
  /**
   * Continues, instead of `run` or `reconcile`, a call that a crash left open after it had kept a note (`context.kept`).
   * No person is asked again whether it may run. Where a park had been answered, `context.earlierAnswers` ends with that
   * answer; a pure or idempotent call continues in `resume` with it instead. It may be called several times for one call:
   * the service may go down again meanwhile.
   */
  reattach?(input: Input, context: ToolContext): ToolOutput | Park | Promise<ToolOutput | Park>;
  /** False: `reattach` cannot go on from this note, so the call is decided about as one that kept none. Absent: it can. */
  reattaches?(kept: unknown): boolean;
  /** Runs the call. Never run again from its top once it has parked. */
  run(input: Input, context: ToolContext): ToolOutput | Park | Promise<ToolOutput | Park>;
  /**
   * Continues after a park once a person has answered; it may park again. Absent: the answer itself is the result, and a
   * form that was declined is the result `declined`.
   */
  resume?(input: Input, answer: ParkAnswer, context: ToolContext): ToolOutput | Park | Promise<ToolOutput | Park>;
}

/** A tool whose input type no longer matters: what registries hold. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds tools of every input type; run() is contravariant in it
export type AnyTool = ToolDefinition<any>;

/** Types a tool from its schema; returns it unchanged. */
export function defineTool<Input>(tool: ToolDefinition<Input>): ToolDefinition<Input> {
  return tool;
}
