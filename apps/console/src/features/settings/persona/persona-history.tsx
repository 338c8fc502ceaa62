import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import {
  Button,
  count,
  ErrorState,
  failureOf,
  InlineError,
  RelativeTime,
  ScrollRegion,
  SkeletonRows,
} from "../../../ui/index.ts";

type Version = AnswerOf<Extract<OperatorDefinition, { readonly name: "config.soul.versions" }>>["versions"][number];

const AUTHORS: { readonly [A in Version["author"]]: string } = {
  operator: "restored by you",
  agent: "changed by the agent",
  hand: "written in the settings or an editor",
};

/** All versions, or one with its text. */
function useVersions(version?: number) {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["config", "persona", "versions", version ?? "all"],
    queryFn: async () =>
      (
        await operator.get("/api/config/soul/versions", {
          query: version === undefined ? {} : { version: String(version) },
        })
      ).versions,
  });
}

/** What the persona said before, and who changed it; each version can be read and made the newest again. */
export function PersonaHistory({ fixed }: { readonly fixed: boolean }): ReactElement {
  const { data, error, refetch } = useVersions();
  return (
    <section aria-label="Versions of the persona" className="pt-8">
      <h2 className="font-display text-lg font-semibold">Versions</h2>
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data === undefined && error !== null && (
        <ErrorState title="The versions cannot be read" error={error} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p className="py-2 text-ink-soft">It was not changed yet.</p>}
      {data !== undefined && data.length > 0 && (
        <ol className="divide-y divide-line">
          {data.map((version, index) => (
            <VersionRow key={version.version} version={version} mayRestore={index > 0 && !fixed} />
          ))}
        </ol>
      )}
    </section>
  );
}

function VersionRow({
  version,
  mayRestore,
}: {
  readonly version: Version;
  readonly mayRestore: boolean;
}): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const [open, setOpen] = useState(false);
  const { version: number, author, at, reason, chars } = version;
  const restore = useMutation({
    mutationFn: () =>
      operator.post("/api/config/soul/restore", { body: { version: number }, idempotencyKey: requestKey() }),
    onSuccess: () => void notify({ text: `The persona says again what version ${number} says.`, tone: "good" }),
    onError: (error) => void notify({ text: failureOf(error).message, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["config"] }),
  });
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium">Version {number}</h3>
          <p className="text-sm text-ink-soft">
            {`${AUTHORS[author]} · ${count(chars)} characters · `}
            <RelativeTime at={at} />
          </p>
        </div>
        <Button
          small
          aria-expanded={open}
          aria-label={`${open ? "Hide" : "Read"} version ${number}`}
          onClick={() => setOpen(!open)}
        >
          {open ? "Hide" : "Read"}
        </Button>
        {mayRestore && (
          <Button
            small
            busy={restore.isPending}
            aria-label={`Restore version ${number}`}
            onClick={() => restore.mutate()}
          >
            Restore
          </Button>
        )}
      </div>
      {reason !== "" && <p className="text-sm break-words">{reason}</p>}
      {open && <VersionText number={number} />}
    </li>
  );
}

function VersionText({ number }: { readonly number: number }): ReactElement {
  const { data, error, refetch } = useVersions(number);
  if (data === undefined)
    return error === null ? <SkeletonRows rows={2} /> : <InlineError error={error} onRetry={refetch} />;
  return (
    <ScrollRegion
      label={`Version ${number} of the persona`}
      className="max-h-[50vh] overflow-auto rounded-md bg-sunken p-3"
    >
      <pre className="text-sm break-words whitespace-pre-wrap">{data[0]?.text}</pre>
    </ScrollRegion>
  );
}
