import {
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classNames } from "./class-names.ts";

/** The look of what text is written into, for controls that bring their own frame. */
export const boxClass =
  "w-full rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-ink placeholder:text-ink-soft aria-invalid:border-bad disabled:opacity-55";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Why the value cannot stay. */
  readonly error?: string | undefined;
  /** The label is for screen readers alone. */
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

/** A line of text with its label. */
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

/** Several lines of text with their label. */
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

/** One of several, by the platform's own list. */
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

/** Puts the focus on the first control of a form whose value cannot stay. */
export function focusInvalid(form: Element): void {
  form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
