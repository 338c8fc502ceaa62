import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A screen: its one top line, and what scrolls below it. */
export function Page({
  title,
  lead,
  actions,
  children,
  fill = false,
}: {
  readonly title: string;
  /** Beside the title: state, figures. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** The content scrolls by itself. */
  readonly fill?: boolean;
}): ReactElement {
  return (
    <div className="flex h-full min-w-0 flex-1 flex-col">
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h1 className="min-w-0 truncate font-display text-lg font-semibold">{title}</h1>
        {lead}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5">{actions}</div>
      </header>
      {/* Positioned: texts for screen readers only are out of the flow, and would make the window scroll. */}
      <div className={classNames("relative min-h-0 flex-1", fill ? "flex" : "overflow-y-auto")}>{children}</div>
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={title} className="min-w-0 px-4 py-5">
      <div className="mb-3 flex items-center gap-3">
        <h2 className="font-display text-lg font-semibold">{title}</h2>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5">{actions}</div>
      </div>
      {children}
    </section>
  );
}
