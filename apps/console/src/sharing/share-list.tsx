import type { ReactElement } from "react";
import { Button, InlineError } from "../ui/index.ts";
import { MomentOf } from "./moment-of.tsx";
import { PARTS, useRevokeShare, useShares } from "./use-share.ts";

/** The shares that have not expired, each with a button that revokes it. `of`: those of one target only. */
export function ShareList({
  of,
}: {
  readonly of?: { readonly session?: string; readonly task?: string };
}): ReactElement {
  const { data, error, refetch } = useShares();
  const revoke = useRevokeShare();
  if (error !== null) return <InlineError error={error} onRetry={refetch} />;
  const shares = (data?.shares ?? []).filter(({ session_id: session, task_id: task }) => {
    return of === undefined || (of.task === undefined ? session === of.session && task === null : task === of.task);
  });
  if (shares.length === 0) return <p className="text-sm text-ink-soft">Nothing is shared now.</p>;
  return (
    <ul className="flex flex-col divide-y divide-line" aria-label="Shared">
      {shares.map(({ id, title, task_id: task, include, expires_at: expires }) => {
        const parts = PARTS.filter(({ name }) => include[name]).map(({ label }) => label.toLowerCase());
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{title === "" ? "A conversation" : title}</p>
              <p className="text-sm text-ink-soft">
                {task === null ? "Conversation" : "Run"}
                {parts.length > 0 && `, with ${parts.join(", ")}`} · until <MomentOf at={expires} />
              </p>
            </div>
            <Button
              small
              kind="danger"
              aria-label={`Revoke the link to ${title}`}
              busy={revoke.isPending && revoke.variables === id}
              onClick={() => revoke.mutate(id)}
            >
              Revoke
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
