import type { ReactElement, ReactNode } from "react";

/** Explains what will appear here, with the action that makes it appear. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}): ReactElement {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-3 px-6 py-16">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children !== undefined && <div className="text-ink-soft">{children}</div>}
      {action}
    </div>
  );
}
