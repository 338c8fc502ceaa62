import { Download, Ellipsis, GitFork, Minimize2, PencilLine, Pin, PinOff, Share2, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Menu, type MenuAction } from "../../../menu/index.ts";
import { ShareDialog } from "../../../sharing/index.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { useSessionActions } from "./use-session-actions.ts";

/** What a menu must know of a conversation. */
export interface MenuSession {
  readonly session_id: string;
  readonly title: string;
  readonly pinned: boolean;
  readonly incognito: boolean;
  readonly latest_version?: string | undefined;
}

/** The actions of a conversation: rename, pin, fork, compact, export, share, delete. */
export function SessionMenu({
  session,
  version = session.latest_version ?? session.session_id,
  label,
  isOpen,
  onRename,
  className,
}: {
  readonly session: MenuSession;
  /** The one that is forked, exported, shared and summed up. Default: the newest. */
  readonly version?: string;
  /** Of the button. */
  readonly label: string;
  /** Its page is shown. */
  readonly isOpen: boolean;
  readonly onRename: () => void;
  readonly className?: string;
}): ReactElement {
  const [deleting, setDeleting] = useState<boolean>();
  const [sharing, setSharing] = useState<boolean>();
  const { edit, whole } = useSessionActions(session.session_id, session.title, version);
  const { pinned } = session;
  const keeps: readonly MenuAction[] = [
    { label: "Fork", icon: GitFork, run: () => whole("fork") },
    { label: "Export as Markdown", icon: Download, run: () => whole("export") },
    { label: "Share…", icon: Share2, run: () => setSharing(true) },
  ];
  const actions: readonly MenuAction[] = [
    { label: "Rename", icon: PencilLine, keys: "F2", run: onRename },
    { label: pinned ? "Unpin" : "Pin", icon: pinned ? PinOff : Pin, run: () => edit({ pinned: !pinned }) },
    // Nothing of an incognito conversation goes elsewhere.
    ...(session.incognito ? [] : keeps),
    { label: "Sum up the older part", icon: Minimize2, run: () => whole("compact") },
    { label: "Delete…", icon: Trash2, danger: true, run: () => setDeleting(true) },
  ];
  return (
    <>
      <Menu label={label} icon={Ellipsis} actions={actions} className={className} />
      {sharing !== undefined && (
        <ShareDialog target={{ session_id: version }} open={sharing} onClose={() => setSharing(false)} />
      )}
      {deleting !== undefined && (
        <DeleteDialog session={session.session_id} isOpen={isOpen} open={deleting} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
