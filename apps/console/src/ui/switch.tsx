import type { InputHTMLAttributes, ReactElement } from "react";
import { classNames } from "./class-names.ts";

/** On or off, at once or with the form around it. It needs a label: `aria-label`, or a `label` for its `id`. */
export function Switch({
  className,
  checked,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "role" | "checked"> & {
  readonly checked: boolean;
}): ReactElement {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      checked={checked}
      aria-checked={checked}
      className={classNames(
        "relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors duration-120",
        "before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-ink-soft before:transition-transform before:duration-120",
        "checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent",
        "focus-visible:rounded-full disabled:cursor-not-allowed disabled:opacity-55",
        className,
      )}
    />
  );
}
