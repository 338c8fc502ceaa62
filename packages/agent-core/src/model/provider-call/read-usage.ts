import type { ModelUsage } from "../model-port.ts";
import { asCount, asObject } from "./wire.ts";

/** Fields in which gateways report how many tokens were cached. */
const DETAIL_FIELDS = ["cached_tokens", "cache_write_tokens", "cache_creation_tokens"] as const;
const CACHE_FIELDS = [
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "prompt_cache_hit_tokens",
  "cached_tokens",
] as const;

/**
 * Token counts out of a `usage` object, in any of the spellings gateways use: OpenAI's, with the cached part in
 * `prompt_tokens_details`; DeepSeek's cache hits; Anthropic's, whose `input_tokens` leave the cached ones out. Undefined
 * when the object counts nothing at all.
 */
export function readUsage(value: unknown): ModelUsage | undefined {
  const wire = asObject(value);
  if (wire === undefined) return undefined;
  const details = asObject(wire.prompt_tokens_details) ?? asObject(wire.input_tokens_details);
  const cacheRead = asCount(
    details?.cached_tokens ?? wire.cache_read_input_tokens ?? wire.prompt_cache_hit_tokens ?? wire.cached_tokens,
  );
  const cacheWrite = asCount(
    wire.cache_creation_input_tokens ?? details?.cache_write_tokens ?? details?.cache_creation_tokens,
  );
  const output = asCount(wire.completion_tokens ?? wire.output_tokens);
  const whole = asCount(wire.prompt_tokens ?? (details === undefined ? undefined : wire.input_tokens));
  const apart = wire.prompt_tokens === undefined && details === undefined ? asCount(wire.input_tokens) : 0;
  const input = apart > 0 ? apart + cacheRead + cacheWrite : Math.max(whole, cacheRead + cacheWrite);
  if (input === 0 && output === 0) return undefined;
  const usage = { input, output, cacheRead, cacheWrite };
  const counted =
    DETAIL_FIELDS.some((field) => typeof details?.[field] === "number") ||
    CACHE_FIELDS.some((field) => typeof wire[field] === "number");
  return counted ? { ...usage, cacheCounted: true } : usage;
}
