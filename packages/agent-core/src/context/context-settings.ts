/** What decides how much of a conversation the model is shown (B56 `pruning`, `compaction`). */

/** Tokens of a model's window where it is not known (R13). */
export const DEFAULT_WINDOW_TOKENS = 80_000;

/** Characters a token is taken for (B56 `pruning`). */
export const CHARS_PER_TOKEN = 4;

/** B56 `pruning`. */
export interface PruningSettings {
  readonly enabled: boolean;
  /** Share of the window, above 0 and at most 1, from which on older results are shortened. */
  readonly atFraction: number;
  /** Newest messages that stay as they are. At least 1. */
  readonly keepMessages: number;
  /** Characters a result has at least to be shortened. At least 500. */
  readonly minChars: number;
}

/** When a conversation is compacted: from a share of the window, from a number of tokens, or from a number of messages. */
export type CompactionTrigger =
  | { readonly kind: "fraction"; readonly value: number }
  | { readonly kind: "tokens"; readonly value: number }
  | { readonly kind: "messages"; readonly value: number };

/** B57 `compaction`. */
export interface CompactionSettings {
  readonly enabled: boolean;
  readonly trigger: CompactionTrigger;
  /** Newest messages that stay. At least 1. */
  readonly keepMessages: number;
  /** The model that writes the summary; blank: the turn's own. */
  readonly model: string;
}

/** What a turn asks for before each model call. */
export interface ContextSettings {
  readonly pruning: PruningSettings;
  readonly compaction: CompactionSettings;
}

/** The defaults (B56, B57). */
export const DEFAULT_CONTEXT_SETTINGS: ContextSettings = Object.freeze({
  pruning: Object.freeze({ enabled: true, atFraction: 0.6, keepMessages: 20, minChars: 4_000 }),
  compaction: Object.freeze({
    enabled: false,
    trigger: Object.freeze({ kind: "fraction", value: 0.8 }),
    keepMessages: 20,
    model: "",
  }),
});
