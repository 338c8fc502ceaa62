import { roundDollars } from "../event/index.ts";
import type { ModelUsage } from "./model-port.ts";

/** Prices of a model in US dollars per million tokens; a missing one is not known (ruling R13). */
export interface ModelPrice {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** Default: as `input`. */
  readonly cacheRead?: number | undefined;
  /** Default: as `input`. */
  readonly cacheWrite?: number | undefined;
}

/** The day the listed prices were looked up. */
export const PRICES_DATED = "2025-11-01";

/** Public list prices, by the model's name without vendor and date. Estimates: what a provider bills is what it bills. */
const LISTED: { readonly [model: string]: ModelPrice } = {
  "claude-opus-4-1": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "claude-opus-4": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-sonnet-4": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-3-7-sonnet": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "claude-3-5-haiku": { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
  "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 },
  "gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025 },
  "gpt-5-nano": { input: 0.05, output: 0.4, cacheRead: 0.005 },
  "gpt-4.1": { input: 2, output: 8, cacheRead: 0.5 },
  "gpt-4.1-mini": { input: 0.4, output: 1.6, cacheRead: 0.1 },
  "gpt-4.1-nano": { input: 0.1, output: 0.4, cacheRead: 0.025 },
  "gpt-4o": { input: 2.5, output: 10, cacheRead: 1.25 },
  "gpt-4o-mini": { input: 0.15, output: 0.6, cacheRead: 0.075 },
  o3: { input: 2, output: 8, cacheRead: 0.5 },
  "o4-mini": { input: 1.1, output: 4.4, cacheRead: 0.275 },
};

/**
 * The listed price of a model. A vendor before the name (`openai/gpt-4o`) and a date after it (`-2024-08-06`,
 * `-20250929`) do not count; any other name is another model, whose price is not known.
 */
export function listedPrice(model: string): ModelPrice | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return Object.hasOwn(LISTED, name) ? LISTED[name] : undefined;
}

/** An estimate in US dollars, to a billionth; undefined where tokens were used whose price is not known. */
export function estimateCost(usage: ModelUsage, price: ModelPrice | undefined): number | undefined {
  if (price === undefined) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const plain = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const parts: readonly (readonly [number, number | undefined])[] = [
    [plain, input],
    [usage.output, output],
    [usage.cacheRead, cacheRead],
    [usage.cacheWrite, cacheWrite],
  ];
  let sum = 0;
  for (const [tokens, dollars] of parts) {
    if (tokens === 0) continue;
    if (dollars === undefined) return undefined;
    sum += tokens * dollars;
  }
  return roundDollars(sum / 1_000_000);
}
