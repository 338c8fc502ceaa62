import type { ReactElement } from "react";

/**
 * The mark of Agent Service: a ring that was broken, and the point where it is taken up again. It takes the colour of
 * the text around it. The product's name is beside it, so screen readers skip it.
 */
export function Mark({ className }: { readonly className?: string }): ReactElement {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <path d="M27 16.2A11 11 0 1 1 15.2 6" fill="none" stroke="currentColor" strokeWidth="5" strokeLinecap="round" />
      <circle cx="24.4" cy="7.4" r="3.1" fill="currentColor" />
    </svg>
  );
}
