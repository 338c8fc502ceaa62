import type { ReactElement, ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawing.tsx";

/** Explains what will appear here, with the action that makes it appear. */
export function EmptyState({
  title,
  children,
  action,
  drawing = "calm",
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly drawing?: DrawingName;
}): ReactElement {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-3 px-6 py-16">
      <Drawing name={drawing} />
      <h2 className="font-display text-lg font-semibold">{title}</h2>
      {children !== undefined && <div className="text-ink-soft">{children}</div>}
      {action}
    </div>
  );
}
