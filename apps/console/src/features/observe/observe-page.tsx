import type { ReactElement } from "react";
import { FirstPart, PartPage, type PartPageProps } from "../../parts/index.ts";
import { OBSERVE_PARTS } from "./observe-parts.ts";

/** A part of the observe screen below the line with all parts. */
export function ObservePage(page: Omit<PartPageProps, "title" | "parts">): ReactElement {
  return <PartPage title="Observe" parts={OBSERVE_PARTS} {...page} />;
}

/** Opens the first page of the screen. */
export function ObserveHome(): ReactElement {
  return <FirstPart parts={OBSERVE_PARTS} />;
}
