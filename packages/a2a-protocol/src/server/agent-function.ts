/** What someone writes who wants an agent and not an executor. */
import type { Message, Metadata, Part } from "../message/index.ts";

/** What an agent is given for one task. */
export interface AgentTurn {
  /** The text of the message, parts joined by line breaks. */
  readonly text: string;
  readonly message: Message;
  /** Metadata of request and message (`skill`, `model` and others of document 1). */
  readonly metadata: Metadata;
  readonly taskId: string;
  readonly contextId: string;
  /** Aborted when the task is canceled. */
  readonly signal: AbortSignal;
  /**
   * Parks the task with a question and resolves with the text of the reply. Rejects with the signal's reason when the
   * task is canceled meanwhile.
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

/** An agent: one call per task. Returning completes the task, throwing fails it. */
export type AgentFunction = (turn: AgentTurn) => AsyncIterable<AgentStep>;
