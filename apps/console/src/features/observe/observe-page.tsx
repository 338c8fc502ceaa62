import type { ReactElement, ReactNode } from "react";
import { FirstPart, type Part, PartTabs } from "../../parts/index.ts";
import { Page } from "../../ui/index.ts";

const PARTS: readonly Part[] = [
  { path: "/observe/telemetry", label: "Telemetry", feature: "telemetry" },
  { path: "/observe/prompts", label: "Prompts", feature: "prompts" },
  { path: "/observe/logs", label: "Logs", feature: "diagnostics" },
  { path: "/observe/lanes", label: "Lanes", feature: "model_lanes" },
];

/** A part of the observe screen below the line with all parts. */
export function ObservePage({
  actions,
  children,
  fill = false,
}: {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly fill?: boolean;
}): ReactElement {
  return (
    <Page title="Observe" lead={<PartTabs label="Parts of observe" parts={PARTS} />} actions={actions} fill={fill}>
      {children}
    </Page>
  );
}

/** Where the screen begins. */
export function ObserveHome(): ReactElement {
  return <FirstPart parts={PARTS} />;
}
