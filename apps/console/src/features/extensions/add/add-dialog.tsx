import type { ReactElement } from "react";
import { Dialog } from "../../../ui/index.ts";
import { CatalogChoice } from "./catalog-choice.tsx";
import { ImportFile } from "./import-file.tsx";
import { TargetForm } from "./target-form.tsx";

/** The ways to add a server. */
export type AddKind = "catalog" | "import" | "target";

const TITLES = { catalog: "Catalogue", import: "Paste a file", target: "Add a server" } as const;

/** Adds servers, in one way at a time. */
export function AddDialog({
  kind,
  open,
  onOpenChange,
}: {
  readonly kind: AddKind;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}): ReactElement {
  const close = (): void => onOpenChange(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={TITLES[kind]} sheet>
      {kind === "catalog" && <CatalogChoice onDone={close} />}
      {kind === "import" && <ImportFile onDone={close} />}
      {kind === "target" && <TargetForm onDone={close} />}
    </Dialog>
  );
}
