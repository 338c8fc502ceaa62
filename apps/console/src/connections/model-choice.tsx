import type { ReactElement } from "react";
import { TextField } from "../ui/index.ts";
import { type ListedModel, ModelList, matching } from "./model-list.tsx";

/** Which model of a connection: one of those its server lists, found by a part of its name, or any by its name. */
export function ModelChoice({
  models,
  model,
  error,
  reading = false,
  onChoose,
  onLeave,
}: {
  /** Undefined: the server was not asked, or lists none. */
  readonly models: readonly ListedModel[] | undefined;
  readonly model: string;
  readonly error?: string | undefined;
  /** The server is being asked. */
  readonly reading?: boolean;
  /** `isWhole`: it was pressed in the list, not typed. */
  readonly onChoose: (model: string, isWhole: boolean) => void;
  readonly onLeave?: () => void;
}): ReactElement {
  const listed = models ?? [];
  const isListed = listed.some(({ name }) => name === model);
  // With a model of the list chosen, all are shown: what is in the field is no search.
  const found = isListed ? listed : matching(listed, model);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Model"
        autoComplete="off"
        spellCheck={false}
        placeholder={listed.length > 0 ? "Search, or enter a name" : "As the server calls it"}
        value={model}
        error={error}
        hint={hintOf(models, reading)}
        onChange={(event) => onChoose(event.target.value, false)}
        onBlur={({ relatedTarget }) => !(relatedTarget instanceof HTMLButtonElement) && onLeave?.()}
      />
      {found.length > 0 && (
        <div className="max-h-64 overflow-y-auto rounded-md border border-line p-1">
          <ModelList
            label="Models of the server"
            models={found}
            keyOf={({ name }) => name}
            chosen={model}
            onChoose={({ name }) => onChoose(name, true)}
          />
        </div>
      )}
    </div>
  );
}

function hintOf(models: readonly ListedModel[] | undefined, reading: boolean): string | undefined {
  if (reading) return "Asking the server for its models…";
  if (models === undefined) return undefined;
  if (models.length === 0) return "The server lists no models. Enter the name of one.";
  return models.length === 1 ? "The server lists 1 model." : `The server lists ${models.length} models.`;
}
