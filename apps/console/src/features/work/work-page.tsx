import type { ReactElement } from "react";
import { FirstPart, PartPage, type PartPageProps } from "../../parts/index.ts";
import { WORK_PARTS } from "./work-parts.ts";

/** A part of the work screen below the line with all parts. */
export function WorkPage(page: Omit<PartPageProps, "title" | "parts">): ReactElement {
  return <PartPage title="Work" parts={WORK_PARTS} {...page} />;
}

/** Opens the first page of the screen. */
export function WorkHome(): ReactElement {
  return <FirstPart parts={WORK_PARTS} />;
}
