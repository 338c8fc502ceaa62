/** A conversation as it is stored, and as it is read. */
import type { ModelContent, ModelToolCall } from "../model/index.ts";

/**
 * What replaces all messages before it but the ones it keeps, by row id, in the order they were shown: a compaction
 * (B57 `compaction`), a step of the shown window, a rewind, or what a fork begins with.
 */
export interface View {
  readonly kind: "compaction";
  /** The summary of what is not shown; empty: there is none. */
  readonly text: string;
  readonly keep: readonly number[];
  /** Messages that compactions and steps of the window took out of sight so far; absent: none, or it was not counted. */
  readonly outOfSight?: number;
  /** Of those, the newest, which `text` does not cover. */
  readonly unsummarised?: number;
  /** The lowest of `keep`; absent: they are read by their ids, for they may lie far back or in other contexts. */
  readonly from?: number;
  /** The latest turn that `text` covers, where that is not the row's own. */
  readonly last?: string;
  /** Of a rewind or fork: the latest turn that stays; empty: none does. */
  readonly turn?: string;
  /** Of a fork: the context it came from. */
  readonly base?: string;
}

/** A stored message. `user` and `note` are shown to the model as user messages. */
export type StoredMessage =
  | View
  | { readonly kind: "user"; readonly content: readonly ModelContent[] }
  | {
      readonly kind: "note";
      readonly text: string;
      /** Of a call's result, which the note follows. */
      readonly images?: readonly ModelContent[];
      /** The call that they are of. */
      readonly call?: string;
    }
  | { readonly kind: "assistant"; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] }
  /** From here on the conversation holds content from outside (K8). Shown to no one. `by`: the tool, or what it came with. */
  | { readonly kind: "tainted"; readonly by: string }
  /** What was recalled for the turn, shown as a further part of the user message before it. `refs`: of what it shows. */
  | { readonly kind: "recalled"; readonly text: string; readonly refs: readonly string[] };

/** A stored message with the task it belongs to. */
export interface HistoryItem {
  /** Number of its row: later messages have higher ones. */
  readonly id: number;
  readonly task: string;
  readonly message: StoredMessage;
}

/** A conversation read from the store. */
export interface History {
  readonly items: readonly HistoryItem[];
  /** Results by call id; a call without an entry has no outcome yet. */
  readonly results: ReadonlyMap<string, string>;
  /** What replaces the messages that are not shown any more. */
  readonly summary?: string;
  /** As in `View`. */
  readonly outOfSight?: number;
  readonly unsummarised?: number;
  /** Numbers of the rows that came after what replaces the earlier ones. */
  readonly rows?: readonly number[];
  /** It holds content from outside (K8). */
  readonly tainted?: boolean;
  /** A bound is passed: before the model is asked, the start of what is shown has to move (`planWindow`). */
  readonly exceedsBounds?: boolean;
  /** Tool rounds of the own task among those. */
  readonly hiddenRounds?: number;
  /** Some of the items were read by their ids: a row that keeps them must list the ids again (`View.from`). */
  readonly scattered?: true;
}
