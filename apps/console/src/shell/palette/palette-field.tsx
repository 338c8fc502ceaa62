import type { InputHTMLAttributes, ReactElement, Ref } from "react";

export interface PaletteFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly ref: Ref<HTMLInputElement>;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** The field of the palette; there, and taking what is typed, before what searches is loaded. */
export function PaletteField({ ref, search, onSearch, ...rest }: PaletteFieldProps): ReactElement {
  return (
    <input
      {...rest}
      ref={ref}
      aria-label="Find a command"
      placeholder="Find a chat, a run, a setting or an action"
      maxLength={200}
      className="sticky -top-4 z-10 w-full rounded-md border border-line-strong bg-raised px-3 py-2"
      value={search}
      onChange={(event) => onSearch(event.target.value)}
    />
  );
}
