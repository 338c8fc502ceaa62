import type { HTMLAttributes, ReactElement, Ref } from "react";

/** Of a region that scrolls by itself. */
export interface ScrollRegionProps extends HTMLAttributes<HTMLDivElement> {
  /** What it holds, for screen readers. */
  readonly label: string;
  /** `group` is no landmark, so that a page of many such regions stays a page of few landmarks; `log` grows at its end. */
  readonly role?: "group" | "log";
  readonly ref?: Ref<HTMLDivElement>;
}

/**
 * Something inside the page that scrolls by itself. It takes the focus, because the keys scroll only what has it, and not
 * every browser gives it to what scrolls (WCAG 2.1.1; axe's `scrollable-region-focusable`).
 */
export function ScrollRegion({ label, role = "group", ...rest }: ScrollRegionProps): ReactElement {
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: either role takes a label; the rule does not see which it is
  return <div {...rest} role={role} aria-label={label} tabIndex={0} />;
}
