import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

/** A radio group: a few values, all visible, of which one is chosen. */
export function Choices<TValue extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: TValue; readonly label: string }[];
  readonly value: TValue;
  readonly onChange: (value: TValue) => void;
}): ReactElement {
  return (
    <fieldset className="flex flex-wrap gap-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={classNames(
            "min-h-7 rounded-md px-1.5 text-sm font-medium",
            option.value === value ? "bg-accent-soft text-accent" : "text-ink-soft hover:bg-hover hover:text-ink",
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
