import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useIsManaged, useRuntimeStatus } from "../../api/index.ts";
import { useCommands } from "../../commands/index.ts";
import { Button, EmptyState, ErrorState, Page, SkeletonRows } from "../../ui/index.ts";
import type { Project } from "./access.ts";
import { CloneLine } from "./clone-line.tsx";
import { ProjectDialog, type Shown } from "./project-dialog.tsx";
import { ProjectRow } from "./project-row.tsx";
import { SettingLink } from "./refusal.tsx";
import { useCloning } from "./use-cloning.ts";
import { useProjects } from "./use-projects.ts";

/** The folders that the agent may work in: added, cloned, changed and taken out. */
export function ProjectsPage(): ReactElement {
  const status = useRuntimeStatus();
  const isOn = status?.features.projects?.enabled !== false;
  const isManaged = useIsManaged();
  const { data: projects, error, refetch } = useProjects();
  // What a dialog is about stays while it fades.
  const [shown, show] = useState<Shown>();
  const [open, setOpen] = useState(false);
  const begin = (next: Shown): void => {
    show(next);
    setOpen(true);
  };
  const cloning = useCloning(() => setOpen(false));
  const mayChange = isOn && !isManaged;
  useProjectCommands(mayChange, begin);
  const buttons = mayChange && (
    <>
      <Button small onClick={() => begin({ kind: "clone" })}>
        Clone a repository
      </Button>
      <Button small kind="primary" onClick={() => begin({ kind: "add" })}>
        Add a folder
      </Button>
    </>
  );
  const isEmpty = projects?.every(({ source }) => source === "workspace") === true;
  return (
    <Page title="Projects" actions={!isEmpty && buttons}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {isManaged && isOn && (
          <p className="pt-4 text-ink-soft">
            The configuration of this service is managed elsewhere: projects are changed there, and shown here.
          </p>
        )}
        <CloneLine
          cloning={cloning}
          isHidden={open && shown?.kind === "clone"}
          onOpen={() => begin({ kind: "clone" })}
        />
        {projects === undefined && error === null && <SkeletonRows rows={4} />}
        {projects === undefined && error !== null && (
          <ErrorState title="The projects cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {!isOn && <ToolsOff />}
        {isOn && isEmpty && <NoProjects workspace={projects?.[0]} action={buttons} />}
        {isOn && projects !== undefined && !isEmpty && (
          <ProjectList projects={projects} onAct={mayChange ? begin : undefined} />
        )}
      </div>
      {shown !== undefined && <ProjectDialog shown={shown} open={open} onOpenChange={setOpen} cloning={cloning} />}
    </Page>
  );
}

/** Adding and cloning in the palette; `begin` may be another function each time. */
function useProjectCommands(mayChange: boolean, begin: (shown: Shown) => void): void {
  const last = useRef(begin);
  useEffect(() => {
    last.current = begin;
  });
  const commands = useMemo(() => {
    const add = { id: "projects-add", label: "Add a folder as a project", run: () => last.current({ kind: "add" }) };
    const clone = { id: "projects-clone", label: "Clone a repository", run: () => last.current({ kind: "clone" }) };
    return mayChange ? [add, clone].map((command) => ({ ...command, group: "Projects" })) : [];
  }, [mayChange]);
  useCommands(commands);
}

function ProjectList({
  projects,
  onAct,
}: {
  readonly projects: readonly Project[];
  /** Undefined: none of them can be changed here. */
  readonly onAct: ((shown: Shown) => void) | undefined;
}): ReactElement {
  return (
    <>
      <p className="pt-4 text-ink-soft">The agent's file tools reach these folders, and nothing else.</p>
      <ul aria-label="Projects" className="divide-y divide-line">
        {projects.map((project) => (
          <ProjectRow key={project.name} project={project} onAct={project.source === "projects" ? onAct : undefined} />
        ))}
      </ul>
    </>
  );
}

/** `action`: how projects come in; without one they cannot be added here. */
function NoProjects({
  workspace,
  action,
}: {
  readonly workspace: Project | undefined;
  readonly action: ReactNode;
}): ReactElement {
  const path = workspace !== undefined && <code className="break-all">{workspace.path}</code>;
  if (action === false) {
    return (
      <EmptyState drawing="folders" title="No projects">
        The agent works in a folder of its own: {path}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing="folders"
      title="No projects yet"
      action={<div className="flex flex-row-reverse flex-wrap gap-2">{action}</div>}
    >
      <p>Add a folder of this machine or clone a repository, and the agent can read it, and change it if you say so.</p>
      {path !== false && (
        <p className="pt-3">
          Until then it works in a folder of its own: {path}. That becomes a project with the first one that you add.
        </p>
      )}
    </EmptyState>
  );
}

function ToolsOff(): ReactElement {
  return (
    <EmptyState drawing="folders" title="The file tools are off">
      The agent reaches no files. Switch them on with <SettingLink name="filesystem.enabled" />, and its projects are
      listed here.
    </EmptyState>
  );
}
