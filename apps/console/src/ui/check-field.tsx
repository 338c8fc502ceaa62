import { type InputHTMLAttributes, type ReactElement, type ReactNode, type Ref, useId } from "react";
import { classNames } from "./class-names.ts";

/** A checkbox with its label after it. `className` is the label's. */
export function CheckField({
  label,
  className,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type"> & {
  readonly label: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}): ReactElement {
  const id = useId();
  return (
    <label htmlFor={id} className={classNames("flex items-center", className)}>
      <input {...rest} id={id} type="checkbox" className="size-4 accent-accent" />
      {label}
    </label>
  );
}
