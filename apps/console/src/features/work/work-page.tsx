import type { ReactElement, ReactNode } from "react";
import { FirstPart, PartTabs } from "../../parts/index.ts";
import { Page } from "../../ui/index.ts";
import { workParts } from "./work-parts.ts";

/** A part of the work screen below the line with all parts. */
export function WorkPage({
  actions,
  children,
  fill = false,
}: {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly fill?: boolean;
}): ReactElement {
  return (
    <Page title="Work" lead={<PartTabs label="Parts of work" parts={workParts} />} actions={actions} fill={fill}>
      {children}
    </Page>
  );
}

/** Where the screen begins. */
export function WorkHome(): ReactElement {
  return <FirstPart parts={workParts} />;
}
