/** What a caller of an agent sees happen, in the order it happened. */
import type { Message } from "../message/index.ts";
import type { Artifact, Task, TaskState } from "../task/index.ts";

interface Happening {
  /** Cursor: pass it as `after` to `resubscribe`. Absent where the agent numbers nothing. */
  readonly seq?: number;
}

/** The task exists. Comes first, once; `task` is as the agent first showed it. */
export interface TaskSeen extends Happening {
  readonly kind: "task";
  readonly task: Task;
}

/** More text of an output. All deltas of an artifact since its last reset are its text. */
export interface TextDelta extends Happening {
  readonly kind: "text";
  readonly delta: string;
  readonly artifactId: string;
}

/** The text of an output so far was not the answer: forget it. */
export interface TextReset extends Happening {
  readonly kind: "text-reset";
  readonly artifactId: string;
}

/** An output is whole: its last piece came, or its task completed. */
export interface ArtifactReady extends Happening {
  readonly kind: "artifact";
  readonly artifact: Artifact;
}

/** The task's status changed. `final`: no event follows. */
export interface StatusChange extends Happening {
  readonly kind: "status";
  readonly state: TaskState;
  /** Text of the status message; "" without one. */
  readonly text: string;
  readonly message?: Message;
  readonly final: boolean;
}

/** A tool call of an agent that declares `tool-call-v1` (A14). */
export interface ToolProgress extends Happening {
  readonly kind: "tool";
  readonly toolCallId: string;
  readonly name: string;
  readonly phase: "started" | "completed" | "failed";
  /** At most 800 characters. */
  readonly args?: string;
  /** At most 800 characters. */
  readonly result?: string;
  /** What people read of the call, in the tool's words; this project's agents alone. */
  readonly title?: string;
  /** Duration in milliseconds of a call that ended; this project's agents alone. */
  readonly durationMs?: number;
  readonly parentToolCallId?: string;
  /** Why no person was asked to approve the call: `bypass`, `rule` or `grant`; this project's agents alone. */
  readonly approvalSkipped?: string;
  /** The entry of the settings that allows it, where `approvalSkipped` is `rule`. */
  readonly rule?: string;
}

/** The agent answered with a message and made no task. */
export interface MessageSeen extends Happening {
  readonly kind: "message";
  readonly message: Message;
  readonly text: string;
}

/** The task waits for a reply. Without a call of `answer` before the loop continues, the stream ends here. */
export interface InputRequired extends Happening {
  readonly kind: "input-required";
  /** The question, for people to read. */
  readonly question: string;
  readonly taskId: string;
  readonly contextId: string;
  /** Name of the prompt, where the agent gives one (A13). */
  readonly promptId?: string;
  /** The prompt's data, `{kind: "question" | "form" | "approval", …}`, where the agent gives some. */
  readonly prompt?: { readonly [key: string]: unknown };
  readonly message?: Message;
  /**
   * Sends the reply and continues with the task in the same loop: text, or an object for a form. Rejects with `A2AError`
   * -32002 when another caller answered first. Once.
   */
  answer(reply: string | object): Promise<void>;
}

/** An event of a task as clients read it; by `kind`. */
export type AgentEvent =
  | TaskSeen
  | TextDelta
  | TextReset
  | ArtifactReady
  | StatusChange
  | ToolProgress
  | MessageSeen
  | InputRequired;
