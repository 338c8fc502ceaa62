import { Ellipsis, Eye, EyeOff, FolderX, GitBranch, type LucideIcon, Pencil, PencilLine, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Menu } from "../../menu/index.ts";
import { CopyButton, classNames } from "../../ui/index.ts";
import { ACCESS, type Access, accessOf, type Project } from "./access.ts";
import type { Shown } from "./project-dialog.tsx";
import { SettingLink } from "./refusal.tsx";

const ICONS: { readonly [TAccess in Access]: LucideIcon } = {
  ...{ none: EyeOff, read: Eye, keep: PencilLine, write: Pencil },
};

/** A project: its name and access, where it lies, what is known of its repository, and what is wrong with it. */
export function ProjectRow({
  project,
  onAct,
}: {
  readonly project: Project;
  /** Undefined: it cannot be changed here. */
  readonly onAct: ((shown: Shown) => void) | undefined;
}): ReactElement {
  const { name, path, exists } = project;
  return (
    <li className="flex items-start gap-2 py-3.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
          <h2 className="min-w-0 font-medium break-all">{name}</h2>
          <AccessBadge access={accessOf(project)} />
        </div>
        <p className="flex min-w-0 items-center gap-1">
          <span className="min-w-0 font-mono text-sm break-all text-ink-soft">{path}</span>
          <CopyButton text={path} label={`Copy the path of ${name}`} />
        </p>
        {!exists && <Missing canRemove={onAct !== undefined} />}
        <Origin project={project} />
      </div>
      {onAct !== undefined && (
        <Menu
          label={`Actions of ${name}`}
          icon={Ellipsis}
          actions={[
            { label: "Edit", icon: Pencil, run: () => onAct({ kind: "edit", project }) },
            {
              label: "Remove from the list",
              icon: Trash2,
              run: () => onAct({ kind: "remove", project }),
              danger: true,
            },
          ]}
        />
      )}
    </li>
  );
}

export function AccessBadge({ access }: { readonly access: Access }): ReactElement {
  const Icon = ICONS[access];
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 text-sm font-medium whitespace-nowrap",
        access === "write" || access === "keep" ? "text-accent" : "text-ink-soft",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {ACCESS.find(({ value }) => value === access)?.label}
    </span>
  );
}

function Missing({ canRemove }: { readonly canRemove: boolean }): ReactElement {
  return (
    <p className="flex items-start gap-1.5 text-sm text-bad">
      <FolderX aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        The folder is missing, so the agent does not reach it. Put it back at this path
        {canRemove ? ", or remove the project from the list." : "."}
      </span>
    </p>
  );
}

/** The repository with its branch, and the setting that declares the project where that is not the list itself. */
function Origin({
  project: { source, is_git, scm_repo, default_branch },
}: {
  readonly project: Project;
}): ReactElement {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-soft empty:hidden">
      {(is_git || scm_repo !== "") && (
        <span className="inline-flex min-w-0 items-center gap-1">
          <GitBranch aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 break-all">
            {scm_repo === "" ? "Git repository" : scm_repo}, branch {default_branch}
          </span>
        </span>
      )}
      {source === "filesystem" && (
        <span>
          Declared by <SettingLink name="filesystem.projects" />
        </span>
      )}
      {source === "workspace" && <span>The agent's own folder, used until you add a project</span>}
    </p>
  );
}
