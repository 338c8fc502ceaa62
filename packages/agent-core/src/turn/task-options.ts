/** What a task keeps about how it runs, stored with it so that a resumed turn runs the same way. */
import type { ReasoningEffort } from "../model/index.ts";

/** An answer that is data (A17). */
export interface StructuredSkill {
  /** Absent: the schema came with the request and is no skill's. */
  readonly id?: string;
  /** MIME type of the DataPart the answer travels as. */
  readonly resultMime: string;
  /** JSON Schema, 2020-12 or draft-07. */
  readonly outputSchema: { readonly [key: string]: unknown };
}

/** What a caller asks of the model calls of its turn (V1); absent values are the agent's own. */
export interface TurnSampling {
  readonly temperature?: number;
  readonly topP?: number;
  /** Tokens of one call; more than the agent's own limit is cut to it. */
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly reasoningEffort?: ReasoningEffort;
}

/** Stored as JSON in the task's row. */
export interface TaskOptions {
  /** Model of this turn (`metadata.model`), in the form `<connection>:<model>` or a bare name. */
  readonly model?: string;
  readonly skill?: StructuredSkill;
  /** The calling program's instructions for this turn, after the persona (V1: a `system` message). */
  readonly instructions?: string;
  readonly sampling?: TurnSampling;
  /** Texts before which the answer ends; none is blank. */
  readonly stop?: readonly string[];
  /** Who wrote the words of its message, where the person did not: its conversation is marked by that (K8). */
  readonly wordsFrom?: string;
  /** No one can answer questions, so none parks the turn (R7); approvals do. */
  readonly unattended?: true;
  /** The operator waived the approvals of this turn that can be waived (F12); counts in no peer's and no unattended turn. */
  readonly bypassApprovals?: true;
  /** Tool rounds after which it ends with a hand-back, where that is fewer than the settings allow (G16). */
  readonly maxRounds?: number;
  /** It is shown its own messages alone, not those of its conversation. */
  readonly fresh?: true;
  /** Nothing of it stays: no prompt snapshot, no memory, no transcript once its session ends. */
  readonly incognito?: boolean;
  /** Its request brought what was said before: the conversation is not new, and each such request is one of its own. */
  readonly brought?: true;
  /** Its conversation has an incognito turn: its calls are shown that turn's texts, so no prompt snapshot is made of them. */
  readonly afterIncognito?: boolean;
  /**
   * What the turn is for, where it is not to answer: its message is then no part of the conversation. `command`: it was
   * carried out before it began, and asks no model. `call`: it makes `call` and asks no model (M19). `notice`: it says
   * something and asks no model.
   */
  readonly purpose?: "compact" | "command" | "call" | "notice";
  /** The call that it makes, where that is its purpose; `args` are JSON text. */
  readonly call?: { readonly name: string; readonly args: string };
}
