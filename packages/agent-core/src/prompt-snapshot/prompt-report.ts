/** Captured calls as clients read them (B42). */
import type { Row } from "../database/index.ts";

/** A part of what a model was shown, by its size. */
export interface PromptSection {
  readonly label: string;
  readonly chars: number;
  /** A quarter of the characters. */
  readonly approx_tokens: number;
  /** `stable`: the same in every call; `session`: in this conversation; `turn`: in this call. */
  readonly scope: "stable" | "session" | "turn";
}

export interface PromptCall {
  /** 1 for the turn's first. */
  readonly call_index: number;
  readonly task_id: string;
  readonly ts: string;
  readonly model: string;
  /** The reasoning effort it was sent with; null: none, so the provider's own. */
  readonly reasoning_effort: string | null;
  readonly system: {
    readonly stable: string;
    readonly context: string;
    /** True where the wire carried another text, which `wire` has then. */
    readonly wire_differs: boolean;
    readonly wire: string;
  };
  readonly sections: readonly PromptSection[];
  /** The newest message of the conversation it was sent, among the messages of its turn; null where they are not kept. */
  readonly last_message: string | null;
  readonly subagent_type: string | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_tokens: number;
    readonly cache_creation_tokens: number;
  } | null;
}

/** What is kept, and which bound decides (B42). */
export interface PromptRetention {
  /** 0: for ever. */
  readonly retention_days: number;
  /** 0: all. */
  readonly max_calls: number;
  readonly calls: number;
  readonly oldest_ts: string | null;
  readonly newest_ts: string | null;
  /** Days that calls are kept as things are; null: for ever. */
  readonly effective_days: number | null;
  /** The bound that removes first; null: none. */
  readonly binding_cap: "retention_days" | "max_calls" | null;
}

/** What `promptCall` reads, in its order. */
export const CALL_COLUMNS = "step, task, at, model, text, volatile, sections, usage, head, effort";

/** Reads a row of `CALL_COLUMNS`. */
export function promptCall([step, task, at, model, stable, context, sections, usage, head, effort]: Row): PromptCall {
  return {
    call_index: Number(step),
    task_id: String(task),
    ts: new Date(Number(at)).toISOString(),
    model: String(model),
    reasoning_effort: typeof effort === "string" ? effort : null,
    // Every adapter sends the system text as it is; it is never blank, so none adds a default of its own.
    system: { stable: String(stable), context: String(context), wire_differs: false, wire: "" },
    sections: JSON.parse(String(sections)) as readonly PromptSection[],
    last_message: typeof head === "string" ? head : null,
    subagent_type: null,
    usage: JSON.parse(String(usage)) as PromptCall["usage"],
  };
}
