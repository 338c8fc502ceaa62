import { lazy, type ReactElement, Suspense } from "react";
import { Dialog, Skeleton } from "../ui/index.ts";
import type { ShareTarget } from "./use-share.ts";

// Few conversations are shared: the chat's page does without it.
const Sharing = lazy(() => import("./sharing.tsx"));

interface ShareDialogProps {
  readonly target: ShareTarget;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Shares a conversation or a run as a read-only page: what goes along, a preview, the link. */
export function ShareDialog({ target, open, onClose }: ShareDialogProps): ReactElement {
  const what = "session_id" in target ? "this chat" : "this run";
  return (
    <Dialog open={open} onOpenChange={onClose} title={`Share ${what}`}>
      {open && (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <Sharing target={target} />
        </Suspense>
      )}
    </Dialog>
  );
}
