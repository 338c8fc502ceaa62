import * as v from "valibot";

const count = v.number();
const known = v.nullable(v.number());
const dollars = v.pipe(known, v.description("US dollars, estimated; null where a price is not known."));

/** Numbers of a turn (B46). */
export const turnSchema = v.object({
  task_id: v.string(),
  session_id: v.string(),
  origin: v.string(),
  state: v.pipe(v.string(), v.description("`completed`, `failed`, `canceled`, or `input-required` while it waits.")),
  success: v.nullable(v.picklist([0, 1])),
  model: v.pipe(v.string(), v.description("The model that answered last; blank if none did.")),
  models: v.array(
    v.object({ model: v.string(), calls: count, input_tokens: count, output_tokens: count, cost_usd: dollars }),
  ),
  input_tokens: v.pipe(count, v.description("Cached tokens included.")),
  output_tokens: count,
  total_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cost_usd: dollars,
  duration_ms: v.pipe(count, v.description("Time it waited for a person left out.")),
  llm_calls: count,
  tool_calls: count,
  created_at: v.string(),
  ended_at: v.string(),
  soul_rev: v.pipe(v.nullable(v.string()), v.description("Names the version of the persona.")),
  trace_id: v.nullable(v.string()),
  tool_durations: v.pipe(v.record(v.string(), v.array(v.number())), v.description("Milliseconds of each call.")),
  context_tokens: v.pipe(count, v.description("Tokens of the largest request.")),
  cache_hit_ratio: known,
});

const percentiles = { p50_duration_ms: known, p95_duration_ms: known, p99_duration_ms: known };

/** Totals of the turns of a time. */
export const summarySchema = v.object({
  turns: count,
  successes: count,
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cost_usd: v.pipe(known, v.description("US dollars, estimated, of the turns whose price is known; null if none is.")),
  unpriced_turns: v.pipe(count, v.description("Turns that asked a model and that the cost leaves out.")),
  llm_calls: count,
  tool_calls: count,
  avg_duration_ms: known,
  ...percentiles,
  success_rate: known,
  cache_hit_ratio: known,
  max_context_tokens: count,
  p95_context_tokens: known,
  by_model: v.array(
    v.object({
      model: v.string(),
      turns: count,
      failures: v.pipe(count, v.description("Turns that failed or were canceled.")),
      cost_usd: known,
      total_tokens: count,
      ...percentiles,
    }),
  ),
  by_tool: v.array(v.object({ tool: v.string(), calls: count, ...percentiles })),
});

/** What stands out among the newest turns. */
export const insightsSchema = v.object({
  turns: count,
  flagged: v.array(v.object({ ...turnSchema.entries, reasons: v.array(v.string()) })),
  flagged_count: count,
  levers: v.object({
    cache: v.object({ hit_ratio: known, read_tokens: count, est_savings_usd: known }),
    routing: v.object({
      by_model: v.array(v.object({ model: v.string(), turns: count, cost_usd: known, success_rate: known })),
    }),
    success_rate: known,
  }),
  unproven_levers: v.array(v.string()),
});

/** One bucket of a series. */
export const bucketSchema = v.object({
  start: v.string(),
  turns: count,
  successes: count,
  failures: count,
  canceled: count,
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cost_usd: known,
  llm_calls: count,
  tool_calls: count,
  avg_duration_ms: known,
  p50_duration_ms: v.pipe(
    known,
    v.description("The median; like the following two at most 1.6 % below the exact value."),
  ),
  p95_duration_ms: v.pipe(known, v.description("The 95th percentile.")),
  max_duration_ms: known,
});
