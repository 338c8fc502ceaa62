/** What someone writes who wants an agent and not an executor. */
import type { Message, Metadata, Part } from "../../message/index.ts";

/** What an agent is given for one message. */
export interface AgentTurn {
  /** The text of the message, parts joined by line breaks. */
  readonly text: string;
  readonly message: Message;
  /** Metadata of request and message (`skill`, `model` and others, B13). */
  readonly metadata: Metadata;
  /** The task's id, where the message becomes a task. */
  readonly taskId: string;
  readonly contextId: string;
  /** Aborted when the task is canceled. */
  readonly signal: AbortSignal;
  /**
   * Parks the task with a question and resolves with the text of the reply. Rejects with the signal's reason when the
   * task is canceled meanwhile, and where there is no task: before an async function has returned its steps.
   */
  ask(question: string): Promise<string>;
}

/** What an agent yields while it works. */
export type AgentStep =
  /** A piece of the answer; all pieces together are the artifact `answer`. */
  | { readonly text: string }
  /** A whole output. */
  | {
      readonly artifact: { readonly name?: string } & ({ readonly text: string } | { readonly parts: readonly Part[] });
    }
  /** What it is doing, for people to read. */
  | { readonly status: string };

/** An answer that needs no task: the text of a message, or its parts. */
export interface AgentMessage {
  readonly message: string | readonly Part[];
}

/**
 * An agent: one call per message. What iterates makes a task: its end completes the task, throwing fails it. A message
 * is the whole answer, and no task exists. An async function decides which of the two: nothing is accepted until it
 * does, so it decides quickly, and one that rejects has accepted nothing.
 */
export type AgentFunction = (
  turn: AgentTurn,
) => AsyncIterable<AgentStep> | AgentMessage | Promise<AsyncIterable<AgentStep> | AgentMessage>;
