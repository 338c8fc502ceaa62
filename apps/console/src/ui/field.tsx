import {
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classNames } from "./class-names.ts";

/** The classes of a text input, for controls with a frame of their own. */
export const boxClass =
  "w-full rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-ink placeholder:text-ink-soft aria-invalid:border-bad disabled:opacity-55";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Why the value is invalid. */
  readonly error?: string | undefined;
  /** The label is visible to screen readers only. */
  readonly bare?: boolean;
}

function useField({ label, hint, error, bare = false }: FieldProps, id: string | undefined) {
  const made = useId();
  const name = id ?? made;
  const described = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return {
    attributes: {
      id: name,
      "aria-invalid": error === undefined ? undefined : (true as const),
      "aria-describedby": described.length === 0 ? undefined : described.join(" "),
    },
    frame: (control: ReactNode): ReactElement => (
      <div className="flex flex-col gap-1">
        <label htmlFor={name} className={bare ? "sr-only" : "text-sm font-medium"}>
          {label}
        </label>
        {control}
        {hint !== undefined && (
          <p id={`${name}-hint`} className="text-sm text-ink-soft">
            {hint}
          </p>
        )}
        {error !== undefined && (
          <p id={`${name}-error`} className="text-sm text-bad">
            {error}
          </p>
        )}
      </div>
    ),
  };
}

/** A single-line text input with its label. */
export function TextField({
  label,
  hint,
  error,
  bare,
  className,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>): ReactElement {
  const { attributes, frame } = useField({ label, hint, error, ...(bare && { bare }) }, rest.id);
  return frame(<input {...rest} {...attributes} className={classNames(boxClass, "min-h-9", className)} />);
}

/** A multi-line text input with its label. */
export function TextArea({
  label,
  hint,
  error,
  bare,
  className,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactElement {
  const { attributes, frame } = useField({ label, hint, error, ...(bare && { bare }) }, rest.id);
  return frame(<textarea {...rest} {...attributes} className={classNames(boxClass, className)} />);
}

/** A native select with its label. */
export function SelectField({
  label,
  hint,
  error,
  bare,
  className,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>): ReactElement {
  const { attributes, frame } = useField({ label, hint, error, ...(bare && { bare }) }, rest.id);
  return frame(
    <select {...rest} {...attributes} className={classNames(boxClass, "min-h-9", className)}>
      {children}
    </select>,
  );
}

/** Moves the focus to the first invalid control of a form. */
export function focusInvalid(form: Element): void {
  form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
