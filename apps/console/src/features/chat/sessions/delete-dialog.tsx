import { lazy, type ReactElement, Suspense, useState } from "react";
import { Button, Dialog, InlineError } from "../../../ui/index.ts";
import { useSessionRemoval } from "./use-session-actions.ts";

// Loaded with the dialog, so that the chat's first load stays small.
const WhatGoes = lazy(async () => ({ default: (await import("./what-goes.tsx")).WhatGoes }));

/** Asks before a conversation is deleted, or cleared. */
export function DeleteDialog({
  session,
  isOpen,
  open,
  onClose,
}: {
  readonly session: string;
  /** Its page is shown. */
  readonly isOpen: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactElement {
  const [forgets, setForgets] = useState(false);
  const remove = useSessionRemoval(session, isOpen, onClose);
  return (
    <Dialog open={open} onOpenChange={onClose} title="Delete this chat?">
      <div className="flex flex-col gap-3">
        <p>
          This deletes its messages, journal, prompts and snapshots, and cancels what is running in it. Figures of
          telemetry and lines of the audit log stay. Its summary and documents that were attached to it go too.
        </p>
        {open && (
          <Suspense>
            <WhatGoes session={session} forgets={forgets} onForgets={setForgets} />
          </Suspense>
        )}
        {remove.error !== null && <InlineError error={remove.error} />}
        <div className="flex flex-wrap gap-2">
          <Button
            kind="danger"
            busy={remove.isPending && remove.variables.retire}
            onClick={() => remove.mutate({ retire: true, forget: forgets })}
          >
            Delete the chat
          </Button>
          <Button
            busy={remove.isPending && !remove.variables.retire}
            onClick={() => remove.mutate({ retire: false, forget: forgets })}
          >
            Only clear it
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Keep it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
