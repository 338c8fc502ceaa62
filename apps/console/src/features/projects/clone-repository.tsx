import { type FormEvent, type ReactElement, useState } from "react";
import { Button, Elapsed, Skeleton, TextField } from "../../ui/index.ts";
import type { Access } from "./access.ts";
import { AccessField } from "./access-field.tsx";
import { Refusal, SettingLink } from "./refusal.tsx";
import type { Cloning } from "./use-cloning.ts";
import { useNewProjects } from "./use-projects.ts";

/** Names a repository and clones it; while that runs, how long it takes and how to stop it. */
export function CloneRepository({
  cloning,
  onClose,
}: {
  readonly cloning: Cloning;
  readonly onClose: () => void;
}): ReactElement {
  if (cloning.isRunning) return <CloneRuns cloning={cloning} onClose={onClose} />;
  return <CloneForm cloning={cloning} onClose={onClose} />;
}

function CloneRuns({ cloning, onClose }: { readonly cloning: Cloning; readonly onClose: () => void }): ReactElement {
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        Cloning <span className="font-medium break-all">{cloning.wanted?.repo}</span>
      </p>
      <Skeleton className="h-2 w-full" />
      <p className="text-sm text-ink-soft">
        <Elapsed since={cloning.startedAt} /> of at most 10 minutes. It goes on while you are elsewhere in the console.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" onClick={cloning.stop}>
          Stop cloning
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  );
}

function CloneForm({ cloning, onClose }: { readonly cloning: Cloning; readonly onClose: () => void }): ReactElement {
  const { wanted, error } = cloning;
  const { writes, root, allow } = useNewProjects();
  const [repo, setRepo] = useState(wanted?.repo ?? "");
  const [name, setName] = useState(wanted?.name ?? "");
  const [chosen, choose] = useState<Access | undefined>(wanted?.access);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const access = chosen ?? (writes === true ? "write" : "read");
    cloning.start({ repo: repo.trim(), name: name.trim(), access });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <WhatMayBeCloned root={root} allow={allow} />
      <TextField
        label="Repository"
        hint="owner/repo of github.com, host/owner/repo, or an address with https or ssh; with http for hosts of egress.allowed_hosts."
        placeholder="owner/repo"
        maxLength={1_000}
        required
        spellCheck={false}
        autoComplete="off"
        value={repo}
        onChange={({ target }) => setRepo(target.value)}
      />
      <TextField
        label="Name"
        hint="What the agent calls it. Blank: the repository's name."
        maxLength={64}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <AccessField value={chosen ?? (writes === true ? "write" : "read")} onChange={choose} among={["read", "write"]} />
      {error !== null && <Refusal error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" disabled={repo.trim() === "" || root === "" || allow?.length === 0}>
          Clone it
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

/** What is missing in the settings before anything can be cloned, else where clones go. */
function WhatMayBeCloned({
  root,
  allow,
}: {
  readonly root: string | undefined;
  readonly allow: readonly string[] | undefined;
}): ReactElement | null {
  if (root === "" || allow?.length === 0) {
    return (
      <div className="flex flex-col gap-1 rounded-md bg-sunken px-3 py-2.5 text-sm">
        <p>Nothing may be cloned yet. First set:</p>
        <ul className="flex list-disc flex-col gap-0.5 pl-5">
          {root === "" && (
            <li>
              <SettingLink name="onboarding.root" />, the folder that clones go into
            </li>
          )}
          {allow?.length === 0 && (
            <li>
              <SettingLink name="onboarding.allow" />, the repositories that may be cloned
            </li>
          )}
        </ul>
      </div>
    );
  }
  if (root === undefined) return null;
  return (
    <p className="text-sm text-ink-soft">
      It goes into <code className="break-all">{root}</code>. <SettingLink name="onboarding.allow" /> says what may be
      cloned
      {allow !== undefined && allow.length <= 3 && (
        <>
          : <code className="break-all">{allow.join(", ")}</code>
        </>
      )}
      .
    </p>
  );
}
