/** Tasks, their status and artifacts in the 1.0 shape (A2A 1.0.1, data model "Task, message, events"). */
import type { Message, Metadata, Part } from "../message/index.ts";

/** States of the protocol. A5: this product's servers put only five of them on the wire. */
export type TaskState =
  | "TASK_STATE_UNSPECIFIED"
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_REJECTED"
  | "TASK_STATE_AUTH_REQUIRED";

/** The state of a task, with the agent's message and the time of its last change. */
export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  /** ISO 8601, UTC, milliseconds: `2026-01-31T09:00:00.000Z`. */
  readonly timestamp?: string;
}

/** An output of a task. */
export interface Artifact {
  /** Unique within its task. */
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  /** At least one. */
  readonly parts: readonly Part[];
  readonly metadata?: Metadata;
  readonly extensions?: readonly string[];
}

/** A unit of work with an identity, a state and outputs. */
export interface Task {
  /** Made by the server, unique. */
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly metadata?: Metadata;
}

/** True for the states that nothing leaves: completed, failed, canceled, rejected. */
export function isTerminal(state: TaskState): boolean {
  return (
    state === "TASK_STATE_COMPLETED" ||
    state === "TASK_STATE_FAILED" ||
    state === "TASK_STATE_CANCELED" ||
    state === "TASK_STATE_REJECTED"
  );
}

/** True for the states in which the task waits for its caller: input-required and auth-required. */
export function isInterrupted(state: TaskState): boolean {
  return state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED";
}
