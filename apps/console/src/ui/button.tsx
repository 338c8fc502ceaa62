import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactElement, Ref } from "react";
import { classNames } from "./class-names.ts";

/** The main action of a page, another action, a quiet one, or one that deletes. */
export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /** For an icon alone: square; needs an `aria-label`. */
  readonly icon?: boolean;
  readonly small?: boolean;
  /** Its action is running: it shows that and cannot be pressed again. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "border border-line bg-raised hover:bg-hover",
  quiet: "text-ink-soft hover:bg-hover hover:text-ink",
  danger: "border border-line bg-raised text-bad hover:bg-bad-soft",
};

/** The classes of a button, for links that look like one. */
export function buttonClass({
  kind = "secondary",
  icon = false,
  small = false,
}: Pick<ButtonProps, "kind" | "icon" | "small">): string {
  return classNames(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-120",
    "disabled:cursor-not-allowed disabled:opacity-55",
    small ? "min-h-7 text-sm" : "min-h-9",
    icon ? (small ? "w-7" : "w-9") : small ? "px-2" : "px-3",
    KINDS[kind],
  );
}

/** A button. Its label is a verb. */
export function Button({
  kind,
  icon,
  small,
  busy = false,
  disabled,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      type={type}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classNames(
        buttonClass({ ...(kind && { kind }), ...(icon && { icon }), ...(small && { small }) }),
        className,
      )}
      {...rest}
    >
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}
