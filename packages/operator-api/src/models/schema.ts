import * as v from "valibot";
import { reasoningEffortsSchema } from "../reasoning-effort/index.ts";

const text = (limit: number, description: string) =>
  v.pipe(v.optional(v.pipe(v.string(), v.trim(), v.maxLength(limit)), ""), v.description(description));

/** A connection to look at, saved or not yet: what is blank is as it is saved. */
export const connectionSchema = v.object({
  provider: text(64, "Id of a connection, or the type of a new one. Blank is the lead's."),
  api_base: text(2000, "Another address than the saved one; the saved key is not sent there."),
  api_key: text(8192, "Another key than the saved one. Of a subscription: its access token, tried as it is."),
});

/** A connection and a model of it. */
export const triedConnectionSchema = v.object({
  ...connectionSchema.entries,
  model: text(256, "The model's name there. Blank is the lead."),
});

/** Why a connection cannot be used, for the person who enters it. */
export const connectionProblemSchema = v.pipe(
  v.nullable(
    v.object({
      field: v.pipe(
        v.nullable(v.picklist(["address", "key", "model"])),
        v.description("What to correct; null: it is not the entry's fault."),
      ),
      text: v.pipe(v.string(), v.description("What is wrong and what to do, in sentences.")),
    }),
  ),
  v.description("The failure as a person reads it; null for none. `error` is the same for a log."),
);

/** How one part of a trial went. */
export const trialSchema = v.object({ ok: v.boolean(), error: v.string(), ms: v.number() });

const dollars = v.nullable(v.number());

/** A model as its server lists it. */
export const listedModelSchema = v.object({
  name: v.string(),
  context_window: v.pipe(v.nullable(v.number()), v.description("Tokens; null where the server does not list it.")),
  vision: v.pipe(v.nullable(v.boolean()), v.description("Null where the server does not list it.")),
  reasoning_efforts: reasoningEffortsSchema,
  price: v.pipe(
    v.nullable(v.object({ input: dollars, output: dollars, cache_read: dollars, cache_write: dollars })),
    v.description(
      "US dollars per million tokens: as entered, else as the server lists or vendors publish; null: not known.",
    ),
  ),
});

const seconds = v.nullable(v.number());

/** The model lanes at a moment (B46). Off, `enabled` is all it holds. */
export const lanesSchema = v.object({
  enabled: v.boolean(),
  generated_at: v.optional(v.pipe(v.string(), v.description("ISO-8601."))),
  lanes: v.optional(
    v.array(
      v.object({
        lane: v.pipe(v.string(), v.description("Id of the connection.")),
        limit: v.number(),
        reserve: v.number(),
        inflight: v.number(),
        queued: v.number(),
        queued_by_priority: v.object({ interactive: v.number(), default: v.number(), bulk: v.number() }),
        oldest_wait_s: v.number(),
        wait_p50_s_5m: seconds,
        wait_p90_s_5m: seconds,
        queue_timeouts_5m: v.number(),
        saturated: v.pipe(v.boolean(), v.description("The queue has not been empty for 60 seconds.")),
      }),
    ),
  ),
});
