import type { HTMLAttributes, ReactElement, Ref } from "react";

export interface ScrollRegionProps extends HTMLAttributes<HTMLDivElement> {
  /** Its content, for screen readers. */
  readonly label: string;
  /** `group` is no landmark, so that a page of many such regions stays a page of few landmarks; `log` grows at its end. */
  readonly role?: "group" | "log";
  readonly ref?: Ref<HTMLDivElement>;
}

/**
 * A region that scrolls by itself. It takes the focus, because keys scroll only a focused element, and not
 * every browser gives it to what scrolls (WCAG 2.1.1; axe's `scrollable-region-focusable`).
 */
export function ScrollRegion({ label, role = "group", ...rest }: ScrollRegionProps): ReactElement {
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: either role takes a label; the rule does not see which it is
  return <div {...rest} role={role} aria-label={label} tabIndex={0} />;
}
