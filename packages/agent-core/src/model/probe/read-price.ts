import type { ModelPrice } from "../model-price.ts";

interface Fields {
  readonly [key: string]: unknown;
}

const PER_MILLION = 1_000_000;

/** Dollars per million tokens; undefined for what is no price, as the -1 of a router that asks other models. */
function dollars(value: unknown, per: number): number | undefined {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0) return undefined;
  return Number((amount * per).toFixed(6));
}

function priceOf(fields: Fields, names: Readonly<Record<keyof ModelPrice, string>>, per: number) {
  const found = (Object.keys(names) as (keyof ModelPrice)[]).flatMap((part) => {
    const amount = dollars(fields[names[part]], per);
    return amount === undefined ? [] : [[part, amount] as const];
  });
  return found.length === 0 ? undefined : (Object.fromEntries(found) as ModelPrice);
}

/** `pricing` of OpenRouter and of those that followed it: dollars per token, as texts. */
const PER_PROMPT = {
  input: "prompt",
  output: "completion",
  cacheRead: "input_cache_read",
  cacheWrite: "input_cache_write",
};
/** `pricing` of Vercel's gateway (texts, per token) and of Together (numbers, per million tokens). */
const PER_INPUT = { input: "input", output: "output", cacheRead: "input_cache_read", cacheWrite: "input_cache_write" };
/** `model_info` of LiteLLM: dollars per token. */
const LITELLM = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cacheRead: "cache_read_input_token_cost",
  cacheWrite: "cache_creation_input_token_cost",
};

/** The price in a server's entry of a model, in any of these forms. */
export function readPrice(pricing: Fields | undefined, info: Fields | undefined): ModelPrice | undefined {
  const perToken = info && priceOf(info, LITELLM, PER_MILLION);
  if (perToken !== undefined || pricing === undefined) return perToken;
  const perInput = typeof pricing.input === "number" ? 1 : PER_MILLION;
  return priceOf(pricing, PER_PROMPT, PER_MILLION) ?? priceOf(pricing, PER_INPUT, perInput);
}
