import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { PriceForm } from "../../../connections/index.ts";
import { Dialog, ErrorState, SelectField, SkeletonRows } from "../../../ui/index.ts";

/** Enters the price of a model, of the connection that serves it. It counts for the turns from then on. */
export function PriceDialog({
  model,
  onClose,
}: {
  /** Undefined: closed. */
  readonly model: string | undefined;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <Dialog
      open={model !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={`Price of ${model ?? "the model"}`}
      description="Costs are estimated by it from the next turn on. Turns that ended keep what was known then."
    >
      {model !== undefined && <PriceOf model={model} onDone={onClose} />}
    </Dialog>
  );
}

function PriceOf({ model, onDone }: { readonly model: string; readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const read = useQuery({ queryKey: ["providers"], queryFn: () => operator.get("/api/providers") });
  const [chosen, choose] = useState<string | undefined>(undefined);
  if (read.data === undefined) {
    return read.error === null ? (
      <SkeletonRows rows={2} />
    ) : (
      <ErrorState title="The connections cannot be read" error={read.error} onRetry={() => void read.refetch()} />
    );
  }
  // The demo costs nothing, and the gateway of the deprecated keys cannot store prices.
  const able = read.data.providers.filter(
    ({ type, sources }) => type !== "scripted" && !Object.keys(sources).every((field) => field === "api_key"),
  );
  const [first] = able;
  if (first === undefined) {
    return (
      <p>
        No connection of the settings serves this model.{" "}
        <Link to="/settings/connections" className="text-accent underline">
          Open the connections
        </Link>
      </p>
    );
  }
  const id = chosen ?? (able.find(({ models }) => Object.hasOwn(models, model)) ?? first).id;
  return (
    <div className="flex flex-col gap-3">
      {able.length > 1 && (
        <SelectField label="Connection that serves it" value={id} onChange={({ target }) => choose(target.value)}>
          {able.map((one) => (
            <option key={one.id} value={one.id}>
              {one.label || one.id}
            </option>
          ))}
        </SelectField>
      )}
      <PriceForm key={id} id={id} model={model} onDone={onDone} />
    </div>
  );
}
