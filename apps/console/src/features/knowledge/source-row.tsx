import { Link } from "@tanstack/react-router";
import { Trash2, Undo2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { ConfirmRemoval, useNotices } from "../../notices/index.ts";
import { Button, Dialog, failureOf, RelativeTime } from "../../ui/index.ts";
import type { Source } from "./memory-types.ts";
import { sourceFacts, sourceLabel } from "./source-words.ts";
import { isUnread, useRemoveSource, useRestoreSource } from "./use-sources.ts";

/** A document in the list, with how far it was read, and the way to remove or restore it. */
export function SourceRow({ source }: { readonly source: Source }): ReactElement {
  const { id, source: place, error, total, done, state, created_at: at } = source;
  const [removing, setRemoving] = useState(false);
  const notify = useNotices();
  const remove = useRemoveSource(source);
  const restore = useRestoreSource(source);
  const label = sourceLabel(source);
  return (
    <li className="flex items-start gap-3 py-3.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className="font-medium break-words">{label}</h2>
        {place !== "" && place !== label && <p className="text-sm break-all text-ink-soft">{place}</p>}
        <p className="text-sm text-ink-soft">
          {`${sourceFacts(source)} · `}
          <RelativeTime at={at} />
          {state === "ready" && total > 0 && (
            <>
              {" · "}
              <Link
                to="/knowledge/memories"
                search={{ source: String(id) } as never}
                className="whitespace-nowrap text-accent underline"
              >
                Its memories<span className="sr-only"> of {label}</span>
              </Link>
            </>
          )}
        </p>
        {isUnread(source) && (
          <progress
            aria-label={`Reading ${label}`}
            className="h-1.5 w-full accent-accent"
            {...(total > 0 && { value: done, max: total })}
          />
        )}
        {error !== null && <p className="text-sm text-bad">{error}</p>}
      </div>
      {state === "removed" ? (
        <Button
          small
          busy={restore.isPending}
          onClick={() =>
            // The list may be read again, without this row, before the change has ended: callbacks of the mutation are not called then.
            void restore.mutateAsync().then(
              () => notify({ text: `${label} is restored.`, tone: "good" }),
              (failure: unknown) => notify({ text: failureOf(failure).message, tone: "bad" }),
            )
          }
        >
          <Undo2 aria-hidden className="size-4" /> Restore<span className="sr-only"> {label}</span>
        </Button>
      ) : (
        <Button small kind="quiet" onClick={() => setRemoving(true)}>
          <Trash2 aria-hidden className="size-4" />
          <span className="sr-only">Remove {label}</span>
        </Button>
      )}
      <Dialog open={removing} onOpenChange={setRemoving} title={`Remove ${label}?`}>
        <ConfirmRemoval
          removal={remove}
          text="Its memories are found no more, from now on. You can restore them for a day; then they are deleted."
          action="Remove it"
          done={`${label} is removed.`}
          onClose={() => setRemoving(false)}
        />
      </Dialog>
    </li>
  );
}
