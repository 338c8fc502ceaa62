import { PanelRight } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../../ui/index.ts";
import { type BesideDocument, useOpenBeside } from "./beside-context.ts";

/** Opens something large beside the conversation; nothing where there is no room for it. */
export function BesideButton({
  document,
  labelled = false,
}: {
  readonly document: BesideDocument;
  /** With its words, not the icon alone. */
  readonly labelled?: boolean;
}): ReactElement | null {
  const open = useOpenBeside();
  if (open === undefined) return null;
  return (
    <Button
      kind="quiet"
      icon={!labelled}
      small
      aria-label={labelled ? undefined : "Open beside"}
      title={labelled ? undefined : "Open beside"}
      onClick={() => open(document)}
    >
      <PanelRight aria-hidden className="size-4" /> {labelled && "Open beside"}
    </Button>
  );
}
