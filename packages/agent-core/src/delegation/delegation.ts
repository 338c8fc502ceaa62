import type { TaskParent, TaskState } from "../event/index.ts";
import type { StartTask } from "../task/index.ts";

/** A task to be started in a role. */
export interface StartChild {
  /** The task's id; absent: it gets one. */
  readonly id?: string;
  readonly class: string;
  /** `subagent`: it belongs to the call that starts it and ends with its task. `background`: it outlives it. */
  readonly origin: "subagent" | "background";
  readonly role: string;
  readonly prompt: string;
  /** A short label for people. */
  readonly description: string;
  readonly parent?: TaskParent;
  /** Its conversation; absent: one of its own. */
  readonly context?: string;
  /** The model the delegating turn was asked to run on (`metadata.model`). */
  readonly model?: string | undefined;
  readonly unattended?: boolean;
  /** Nothing of it may stay, as nothing of the turn that delegates may. */
  readonly incognito?: boolean;
  /** The conversation that delegates holds content from outside, and so may the prompt (K8). */
  readonly outside?: boolean;
  /** The operator waived the approvals of the turn that delegates, and waits for this task in it (F12). */
  readonly bypassApprovals?: boolean;
  /** The `traceparent` it belongs under (W3C Trace Context). */
  readonly trace?: string | undefined;
  /** What becomes durable with the task. */
  readonly alongside?: StartTask["alongside"];
}

/** What is to be done by a subagent within a call. */
export interface Delegate extends Pick<StartChild, "role" | "prompt" | "description"> {
  /** Its index among the delegations of its call, from 0. */
  readonly position: number;
}

/** The call that delegates. */
export interface DelegatingCall {
  readonly task: string;
  readonly call: string;
  readonly class: string;
  readonly context: string;
  /** Inherited from the delegating turn: model override, unattended (R7), incognito, content from outside, waived approvals (F12). */
  readonly options: Pick<StartChild, "model" | "unattended" | "incognito" | "outside" | "bypassApprovals">;
  /** The `traceparent` of the call; undefined: it is in no trace. */
  readonly trace: string | undefined;
}

export interface RunningDelegation {
  /** The id of its call, followed by its index unless it is the first. */
  readonly id: string;
  readonly call: string;
  /** The task that delegates; undefined: a person does. */
  readonly parent: string | undefined;
  readonly role: string;
  readonly label: string;
  /** The task that does it. */
  readonly task: string;
  /** Of that task; one that waits to be started is `queued`. */
  readonly state: TaskState;
}
