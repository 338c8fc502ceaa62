/** Turn rows as clients read them (B46; times ISO-8601, N4). */
import type { Row, Value } from "../database/index.ts";
import type { TurnModel } from "./turn-row.ts";

/** A row. Absent knowledge is null. */
export interface TurnReport {
  readonly task_id: string;
  readonly session_id: string;
  readonly origin: string;
  readonly state: string;
  /** Null while the turn waits for a person. */
  readonly success: 0 | 1 | null;
  readonly model: string;
  readonly models: readonly {
    readonly model: string;
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number | null;
  }[];
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** An estimate; null where a price is not known. */
  readonly cost_usd: number | null;
  readonly duration_ms: number;
  readonly llm_calls: number;
  readonly tool_calls: number;
  readonly created_at: string;
  readonly ended_at: string;
  readonly soul_rev: string | null;
  readonly trace_id: string | null;
  readonly tool_durations: { readonly [tool: string]: readonly number[] };
  readonly context_tokens: number;
  /** Cached tokens read, of all tokens read; null where none were read. */
  readonly cache_hit_ratio: number | null;
}

/** What `turnReport` reads, in its order. */
export const REPORT_COLUMNS = [
  ...["task", "context", "origin", "state", "success", "model", "models", "input", "output", "cache_read"],
  ...["cache_write", "cost_usd", "duration_ms", "model_calls", "tool_calls", "created_at", "ended_at", "persona"],
  ...["trace", "tool_durations", "context_tokens"],
].join(", ");

const text = (value: Value | undefined): string => (typeof value === "string" ? value : "");
const orNull = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);
const iso = (value: Value | undefined): string => new Date(Number(value)).toISOString();

/** Of the tokens read, how many were cached; null where none were read. */
export function hitRatio(cacheRead: number, input: number): number | null {
  return input === 0 ? null : Math.min(1, cacheRead / input);
}

/** Reads a row of `REPORT_COLUMNS`. */
export function turnReport(row: Row): TurnReport {
  const [task, context, origin, state, success, model, models, input, output, cacheRead] = row;
  const [cacheWrite, cost, duration, modelCalls, toolCalls, created, ended, persona] = row.slice(10);
  const [trace, durations, contextTokens] = row.slice(18);
  return {
    task_id: text(task),
    session_id: text(context),
    origin: text(origin),
    state: text(state),
    success: success === null ? null : success === 1 ? 1 : 0,
    model: text(model),
    models: (JSON.parse(text(models)) as readonly TurnModel[]).map((one) => ({
      model: one.model,
      calls: one.calls,
      input_tokens: one.input,
      output_tokens: one.output,
      cost_usd: one.cost_usd,
    })),
    input_tokens: Number(input),
    output_tokens: Number(output),
    total_tokens: Number(input) + Number(output),
    cache_read_input_tokens: Number(cacheRead),
    cache_creation_input_tokens: Number(cacheWrite),
    cost_usd: cost === null ? null : Number(cost),
    duration_ms: Number(duration),
    llm_calls: Number(modelCalls),
    tool_calls: Number(toolCalls),
    created_at: iso(created),
    ended_at: iso(ended),
    soul_rev: orNull(persona),
    trace_id: orNull(trace),
    tool_durations: JSON.parse(text(durations)) as TurnReport["tool_durations"],
    context_tokens: Number(contextTokens),
    cache_hit_ratio: hitRatio(Number(cacheRead), Number(input)),
  };
}

/** Columns of the export, in order. */
export const CSV_COLUMNS = [
  ...["task_id", "session_id", "origin", "state", "success", "model", "models", "input_tokens", "output_tokens"],
  ...["total_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "cost_usd", "duration_ms"],
  ...["llm_calls", "tool_calls", "created_at", "ended_at", "soul_rev", "trace_id", "tool_durations", "context_tokens"],
] as const satisfies readonly (keyof TurnReport)[];

/** A text that a spreadsheet would run as a formula is set off by an apostrophe. */
function cell(value: TurnReport[keyof TurnReport]): string {
  if (value === null) return "";
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The head of the export. */
export const CSV_HEAD = `${CSV_COLUMNS.join(",")}\r\n`;

/** A row of the export (RFC 4180). */
export function csvLine(turn: TurnReport): string {
  return `${CSV_COLUMNS.map((name) => cell(turn[name])).join(",")}\r\n`;
}
