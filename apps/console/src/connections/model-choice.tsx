import { type ReactElement, useId } from "react";
import { Button, InlineError, TextField } from "../ui/index.ts";
import type { Probe } from "./connection-draft.ts";
import { TrialOutcome, useModelListing, useModelTrial } from "./model-trial.tsx";

/** Which model of a connection: from what its server lists, or by name; with a live test of it. */
export function ModelChoice({
  probe,
  model,
  onChoose,
  disabled = false,
  lists = true,
}: {
  readonly probe: Probe;
  readonly model: string;
  readonly onChoose: (model: string) => void;
  /** No connection to test has been entered yet. */
  readonly disabled?: boolean;
  /** Its server lists its models; a subscription's does not. */
  readonly lists?: boolean;
}): ReactElement {
  const listing = useModelListing();
  const trial = useModelTrial();
  const list = useId();
  const models = listing.data?.models ?? [];
  const listed =
    listing.data === undefined
      ? undefined
      : listing.data.error !== ""
        ? undefined
        : models.length === 0
          ? "The server lists no models. Enter the name of a model."
          : `The server lists ${models.length === 1 ? "1 model" : `${models.length} models`}.`;
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Model"
        list={list}
        autoComplete="off"
        spellCheck={false}
        value={model}
        hint={
          listed ?? (lists ? "As the server calls it. List the models to choose one." : "As your provider calls it.")
        }
        error={listing.data?.error === "" ? undefined : listing.data?.error}
        onChange={(event) => onChoose(event.target.value)}
      />
      <datalist id={list}>
        {models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="flex flex-wrap gap-2">
        {lists && (
          <Button
            busy={listing.isPending}
            disabled={disabled}
            onClick={() =>
              listing.mutate(probe, {
                onSuccess: ({ models: [first] }) => model === "" && first !== undefined && onChoose(first),
              })
            }
          >
            List models
          </Button>
        )}
        <Button
          busy={trial.isPending}
          disabled={disabled || model.trim() === ""}
          onClick={() => trial.mutate({ ...probe, model: model.trim() })}
        >
          Test
        </Button>
      </div>
      {listing.error !== null && <InlineError error={listing.error} />}
      <TrialOutcome trial={trial} />
    </div>
  );
}
