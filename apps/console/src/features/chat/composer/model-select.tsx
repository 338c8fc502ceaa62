import type { ReactElement } from "react";
import { useRuntimeStatus } from "../../../api/index.ts";

/** Chooses the model of the next turns: the default or a favourite. Hidden without favourites. */
export function ModelSelect({
  value,
  onChange,
}: {
  /** Empty for the default model. */
  readonly value: string;
  readonly onChange: (model: string) => void;
}): ReactElement | null {
  const status = useRuntimeStatus();
  const favorites = status?.model.favorites ?? [];
  const others = value === "" || favorites.includes(value) ? favorites : [...favorites, value];
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Model"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="ml-auto min-h-7 max-w-52 truncate rounded-md bg-transparent px-1 text-sm text-ink-soft hover:bg-hover"
    >
      <option value="">{status === undefined ? "Default model" : `${status.model.name} (default)`}</option>
      {others.map((model) => (
        <option key={model} value={model}>
          {model}
        </option>
      ))}
    </select>
  );
}
