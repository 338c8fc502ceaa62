/** Dollars per million tokens; null is unknown. */
export interface TokenPrices {
  readonly input: number | null;
  readonly output: number | null;
}

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

/** Prices as a text; undefined where one is unknown, as no cost can be computed then. */
export function priceText({ input, output }: TokenPrices): string | undefined {
  if (input === null || output === null) return undefined;
  return `${DOLLARS.format(input)} in, ${DOLLARS.format(output)} out per million`;
}

/** Why an entered price is invalid. */
export function problemOfPrice(entered: string): string | undefined {
  const dollars = entered.trim() === "" ? Number.NaN : Number(entered);
  return Number.isFinite(dollars) && dollars >= 0 ? undefined : "Enter dollars, for example 0.25.";
}
