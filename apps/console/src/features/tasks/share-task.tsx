import { Share2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { ShareDialog } from "../../sharing/index.ts";
import { Button } from "../../ui/index.ts";

/** Shares a run as a read-only page. */
export function ShareTask({ id }: { readonly id: string }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small kind="quiet" aria-label="Share this run" title="Share this run" onClick={() => setOpen(true)}>
        <Share2 aria-hidden className="size-4" />
        <span className="max-list:hidden">Share…</span>
      </Button>
      <ShareDialog target={{ task_id: id }} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
