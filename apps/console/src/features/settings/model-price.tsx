import { type ReactElement, useState } from "react";
import { PriceForm, priceText, type TokenPrices } from "../../connections/index.ts";
import { Button } from "../../ui/index.ts";
import type { Connection } from "./connection.ts";

/** The price of a model; where it is unknown, a form to enter it. */
export function ModelPrice({
  connection,
  model,
  price,
}: {
  readonly connection: Connection;
  readonly model: string;
  readonly price: TokenPrices | null;
}): ReactElement | undefined {
  const [entering, setEntering] = useState(false);
  const text = price === null ? undefined : priceText(price);
  if (text !== undefined) return <span className="text-sm text-ink-soft">{text}</span>;
  // The scripted model costs nothing, and the gateway of the deprecated keys cannot store prices.
  if (connection.type === "scripted" || Object.keys(connection.sources).every((field) => field === "api_key"))
    return undefined;
  if (entering) return <PriceForm id={connection.id} model={model} onDone={() => setEntering(false)} />;
  return (
    <Button small aria-label={`Enter the price of ${model}`} onClick={() => setEntering(true)}>
      Enter price
    </Button>
  );
}
