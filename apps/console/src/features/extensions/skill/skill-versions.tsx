import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import {
  Button,
  ErrorState,
  failureOf,
  InlineError,
  RelativeTime,
  ScrollRegion,
  SkeletonRows,
} from "../../../ui/index.ts";
import type { SkillVersion } from "./skill-types.ts";
import { authorLabel } from "./skill-words.ts";
import { useSkillChange, useSkillVersions } from "./use-skills.ts";

/** The versions of a skill; each can be read, and made the newest again. */
export function SkillVersions({
  name,
  mayChange,
}: {
  readonly name: string;
  readonly mayChange: boolean;
}): ReactElement {
  const { data, error, refetch } = useSkillVersions(name);
  if (data === undefined && error !== null)
    return <ErrorState title="The versions cannot be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={3} />;
  if (data.length === 0) return <p className="py-6 text-ink-soft">It was never changed here.</p>;
  return (
    <ol aria-label={`Versions of ${name}`} className="divide-y divide-line">
      {data.map((version, index) => (
        <VersionRow
          key={version.version}
          name={name}
          version={version}
          mayRestore={mayChange && index > 0 && version.chars !== null}
        />
      ))}
    </ol>
  );
}

function VersionRow({
  name,
  version,
  mayRestore,
}: {
  readonly name: string;
  readonly version: SkillVersion;
  readonly mayRestore: boolean;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [open, setOpen] = useState(false);
  const { version: number, at, reason, chars } = version;
  const restore = useSkillChange(() =>
    operator.post("/api/playbooks/{skill_id}/restore", { params: { skill_id: name }, body: { version: number } }),
  );
  const act = (): void =>
    restore.mutate(undefined, {
      onSuccess: () => void notify({ text: `${name} says again what version ${number} says.`, tone: "good" }),
      onError: (failure) => void notify({ text: failureOf(failure).message, tone: "bad" }),
    });
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">Version {number}</h2>
          <p className="text-sm text-ink-soft">
            {authorLabel(version)} · <RelativeTime at={at} />
          </p>
        </div>
        {chars !== null && (
          <Button
            small
            aria-expanded={open}
            aria-label={`${open ? "Hide" : "Read"} version ${number}`}
            onClick={() => setOpen(!open)}
          >
            {open ? "Hide" : "Read"}
          </Button>
        )}
        {mayRestore && (
          <Button small busy={restore.isPending} aria-label={`Restore version ${number}`} onClick={act}>
            Restore
          </Button>
        )}
      </div>
      {reason !== "" && <p className="text-sm break-words">{reason}</p>}
      {open && <VersionText name={name} number={number} />}
    </li>
  );
}

function VersionText({ name, number }: { readonly name: string; readonly number: number }): ReactElement {
  const { data, error, refetch } = useSkillVersions(name, number);
  if (data === undefined)
    return error === null ? <SkeletonRows rows={2} /> : <InlineError error={error} onRetry={refetch} />;
  return (
    <ScrollRegion
      label={`Version ${number} of ${name}`}
      className="max-h-[50vh] overflow-auto rounded-md bg-sunken p-3"
    >
      <pre className="text-sm whitespace-pre-wrap">{data[0]?.text}</pre>
    </ScrollRegion>
  );
}
