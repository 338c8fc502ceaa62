import type { ReactElement, ReactNode } from "react";
import { Page } from "../ui/index.ts";
import { PartTabs } from "./part-tabs.tsx";
import type { Part } from "./parts-for.ts";

export interface PartPageProps {
  readonly title: string;
  /** All parts of the screen. */
  readonly parts: readonly Part[];
  readonly actions?: ReactNode;
  /** The content scrolls by itself. */
  readonly fill?: boolean;
  readonly children: ReactNode;
}

/** A part of a screen, below the line with all of its parts. */
export function PartPage({ title, parts, ...page }: PartPageProps): ReactElement {
  const lead = <PartTabs label={`Parts of ${title.toLowerCase()}`} parts={parts} />;
  return <Page title={title} lead={lead} {...page} />;
}
