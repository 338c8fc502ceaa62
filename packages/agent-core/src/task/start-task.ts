import type { Statement } from "../database/index.ts";
import type { InputMessage, TaskEvent, TaskOrigin, TaskParent, TaskProvenance } from "../event/index.ts";
import type { TaskEnding } from "../journal/index.ts";
import type { TaskOptions } from "../turn/index.ts";
import type { PromptReply } from "./answer-prompt.ts";
import type { PriorMessage } from "./prior-message.ts";
import type { RequestKey } from "./request-key.ts";

/** What a task is started with. */
export interface StartTask {
  /** Who asks (A16). */
  readonly class: string;
  /** Absent: a new context. */
  readonly context?: string;
  readonly origin: TaskOrigin;
  /** What a new context begins with, before `input`; counts only without `context`. */
  readonly history?: readonly PriorMessage[];
  readonly input: InputMessage;
  readonly options?: TaskOptions;
  readonly key?: RequestKey;
  /** Whoever asks knows that nothing is accepted under its key: it is not looked for before, and still keeps two apart. */
  readonly isNewKey?: boolean;
  /** A valid `traceparent` of whoever asks (W3C Trace Context). */
  readonly trace?: string | undefined;
  /**
   * The task's id, where the starter derives it: a task that exists already is returned, and nothing new is accepted.
   * Absent: a new one.
   */
  readonly id?: string;
  /** The call that starts it. */
  readonly parent?: TaskParent;
  /** The role it runs in; absent: it leads. */
  readonly role?: string;
  /** Why it starts, where no message of its conversation asked for it. */
  readonly provenance?: TaskProvenance;
  /** Its message was a turn of the model before, whoever wrote it: it is no command. */
  readonly isAskedAgain?: boolean;
  /** Asked once for what becomes durable with the task. */
  readonly alongside?: (task: { readonly id: string; readonly context: string }) => readonly Statement[];
  /** What ends with the task (`TaskEnding`). */
  readonly ending?: TaskEnding;
}

/** What is known of a task while it is being accepted. */
export interface AcceptedTask {
  readonly id: string;
  readonly class: string;
  readonly context: string;
  readonly origin: TaskOrigin;
  /** A message without a turn, which is over when it is accepted. */
  readonly isNotice?: true;
}

/** A reply to a parked task. */
export interface AnswerTask extends PromptReply {
  readonly key?: RequestKey;
  /** Asked if the reply decides about an approval: why it may not (F15). Absent, or undefined from it: it may. */
  readonly refuseApproval?: (() => Promise<string | undefined>) | undefined;
}

/** A task's first event. */
export function acceptedEvent(
  { origin, input, trace, parent, role, provenance }: StartTask,
  of: { readonly class: string; readonly context: string },
  state: "queued" | "running",
): TaskEvent {
  const accepted = { kind: "task.accepted", ...of, origin, input, state } as const;
  const traced: TaskEvent = trace === undefined ? accepted : { ...accepted, trace };
  const begun: TaskEvent = provenance === undefined ? traced : { ...traced, provenance };
  // What leads, as nearly everything does, is written without them.
  if (parent === undefined && role === undefined) return begun;
  return { ...begun, ...(parent && { parent }), ...(role !== undefined && { role }) };
}
