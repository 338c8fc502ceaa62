import type { ReactElement } from "react";
import { FirstPart, type Part, PartPage, type PartPageProps } from "../../parts/index.ts";

const PARTS: readonly Part[] = [
  { path: "/observe/telemetry", label: "Telemetry", feature: "telemetry" },
  { path: "/observe/prompts", label: "Prompts", feature: "prompts" },
  { path: "/observe/logs", label: "Logs", feature: "diagnostics" },
  { path: "/observe/lanes", label: "Lanes", feature: "model_lanes" },
];

/** A part of the observe screen below the line with all parts. */
export function ObservePage(page: Omit<PartPageProps, "title" | "parts">): ReactElement {
  return <PartPage title="Observe" parts={PARTS} {...page} />;
}

/** Where the screen begins. */
export function ObserveHome(): ReactElement {
  return <FirstPart parts={PARTS} />;
}
