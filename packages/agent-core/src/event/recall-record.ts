/** What was recalled for a turn, and what was not (K17). No text: that is in the conversation. */
export interface RecallRecord {
  readonly step: number;
  /** How it was searched; `none`: it was not. */
  readonly mode: "keyword" | "hybrid" | "none";
  readonly items: readonly RecalledItem[];
  readonly leftOut: readonly { readonly chunk: number; readonly reason: RecallOmission }[];
  /** Earlier conversations that a line was shown of (K16). Absent: none. */
  readonly sessions?: readonly string[];
  /** What earlier parts of the conversation still show of memories, `<number>:<revision>`. Absent: nothing. */
  readonly inSight?: readonly string[];
  /** Characters shown. */
  readonly chars: number;
  /** Milliseconds it took. */
  readonly ms: number;
  /** Something was not there in time (K19). */
  readonly late?: true;
  /** It could not be searched by meaning, which is switched on (K25). */
  readonly degraded?: true;
}

/** What was recalled for a turn. */
export interface RecalledMemory {
  /** As the model is shown it; blank: nothing was found. */
  readonly text: string;
  /** Of what `text` shows. */
  readonly refs: readonly string[];
  /** It shows text from outside. */
  readonly outside: boolean;
  readonly record: Omit<RecallRecord, "step">;
}

/** What a turn is shown before its first model call: what was recalled, and what is open (G26). */
export interface TurnContext extends Omit<RecalledMemory, "record"> {
  /** What of it shows text from outside. */
  readonly from: string;
  /** Undefined: nothing was recalled. */
  readonly record: RecalledMemory["record"] | undefined;
}

/** Why something that fits was not shown. */
export type RecallOmission = "in_sight" | "floor" | "budget" | "duplicate";

/** A memory that was shown. */
export interface RecalledItem {
  readonly chunk: number;
  readonly revision: number;
  /** `always`: it is in sight of every turn; `hit`: it fits this one. */
  readonly kind: "always" | "hit";
  readonly trust: string;
  /** Of a hit: by which the hits were ordered, its place among those found by words, and how many words of the message it has. */
  readonly score?: number;
  readonly rank?: number | undefined;
  /** Its place among those found by meaning. */
  readonly vectorRank?: number | undefined;
  readonly words?: number;
}
