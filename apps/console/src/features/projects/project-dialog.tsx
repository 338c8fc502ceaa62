import type { ReactElement } from "react";
import { Dialog } from "../../ui/index.ts";
import type { Project } from "./access.ts";
import { AddFolder } from "./add-folder.tsx";
import { CloneRepository } from "./clone-repository.tsx";
import { EditProject } from "./edit-project.tsx";
import { RemoveProject } from "./remove-project.tsx";
import type { Cloning } from "./use-cloning.ts";

/** What a dialog of the page is about. */
export type Shown =
  | { readonly kind: "add" }
  | { readonly kind: "clone" }
  | { readonly kind: "edit" | "remove"; readonly project: Project };

/** The dialog of the page: one at a time. */
export function ProjectDialog({
  shown,
  open,
  onOpenChange,
  cloning,
}: {
  readonly shown: Shown;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly cloning: Cloning;
}): ReactElement {
  const close = (): void => onOpenChange(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={titleOf(shown)}>
      {shown.kind === "add" && <AddFolder onDone={close} />}
      {shown.kind === "clone" && <CloneRepository cloning={cloning} onClose={close} />}
      {shown.kind === "edit" && <EditProject project={shown.project} onDone={close} />}
      {shown.kind === "remove" && <RemoveProject project={shown.project} onDone={close} />}
    </Dialog>
  );
}

function titleOf(shown: Shown): string {
  if (shown.kind === "add") return "Add a folder";
  if (shown.kind === "clone") return "Clone a repository";
  return shown.kind === "edit" ? `Edit ${shown.project.name}` : `Remove ${shown.project.name} from the list?`;
}
