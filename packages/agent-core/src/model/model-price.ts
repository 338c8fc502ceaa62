import { roundDollars } from "../event/index.ts";
import type { ModelUsage } from "./model-port.ts";

/** Prices of a model in US dollars per million tokens; a missing one is not known (R13). */
export interface ModelPrice {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** Default: as `input`. */
  readonly cacheRead?: number | undefined;
  /** Default: as `input`. */
  readonly cacheWrite?: number | undefined;
}

/** A price, or a function called for it when a call has ended: the gateway's price may have been read meanwhile. */
export type KnownPrice = ModelPrice | (() => ModelPrice | undefined);

/** An estimate in US dollars, to a billionth; undefined where tokens were used whose price is not known. */
export function estimateCost(usage: ModelUsage, known: KnownPrice | undefined): number | undefined {
  const price = typeof known === "function" ? known() : known;
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

/** Whether calls are known to cost nothing: a price that is not known is not nothing. */
export function costsNothing(known: KnownPrice | undefined): boolean {
  const price = typeof known === "function" ? known() : known;
  return price?.input === 0 && price.output === 0;
}
