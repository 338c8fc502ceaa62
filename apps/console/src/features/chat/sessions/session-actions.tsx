import { type ReactElement, useMemo, useState } from "react";
import { useCommands } from "../../../commands/index.ts";
import { ShareDialog } from "../../../sharing/index.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { type MenuSession, SessionMenu } from "./session-menu.tsx";
import { useSessionActions } from "./use-session-actions.ts";

/** The menu of the conversation that is open, and the same actions as commands of the palette. */
export function SessionActions({
  session,
  version,
  onRename,
}: {
  readonly session: MenuSession;
  /** The version that is shown. */
  readonly version: string;
  readonly onRename: () => void;
}): ReactElement {
  const { session_id: id, title, pinned, incognito } = session;
  const { edit, whole } = useSessionActions(id, title, version);
  const [deleting, setDeleting] = useState<boolean>();
  const [sharing, setSharing] = useState(false);
  useCommands(
    useMemo(
      () => [
        { id: "chat-rename", label: "Rename this chat", group: "Chat", keys: "F2", run: onRename },
        {
          id: "chat-pin",
          label: pinned ? "Unpin this chat" : "Pin this chat",
          group: "Chat",
          run: () => edit({ pinned: !pinned }),
        },
        ...(incognito
          ? []
          : [
              { id: "chat-fork", label: "Fork this chat", group: "Chat", run: () => whole("fork") },
              { id: "chat-export", label: "Export this chat as Markdown", group: "Chat", run: () => whole("export") },
              { id: "chat-share", label: "Share this chat by a link", group: "Chat", run: () => setSharing(true) },
            ]),
        {
          id: "chat-compact",
          label: "Sum up the older part of this chat",
          keywords: "summarise compact",
          group: "Chat",
          run: () => whole("compact"),
        },
        {
          id: "chat-delete",
          label: "Delete this chat",
          keywords: "remove clear",
          group: "Chat",
          run: () => setDeleting(true),
        },
      ],
      [edit, whole, onRename, pinned, incognito],
    ),
  );
  return (
    <>
      <SessionMenu session={session} version={version} label="Actions of this chat" isOpen onRename={onRename} />
      <ShareDialog target={{ session_id: version }} open={sharing} onClose={() => setSharing(false)} />
      {deleting !== undefined && (
        <DeleteDialog session={id} isOpen open={deleting} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
