import { lazy, type ReactElement, type RefObject, Suspense, useMemo, useRef, useState } from "react";
import { useCommands } from "../../../commands/index.ts";
import type { ReadConversation } from "../transcript/use-conversation.ts";
import type { ListHandle } from "../transcript/use-followed-list.ts";

const FindBar = lazy(() => import("./find-bar.tsx"));

/**
 * Finding in a conversation, by Ctrl F: the browser's own would miss most of it, because only the turns in sight are on the
 * page. Pressed while this has the focus, Ctrl F is the browser's own again.
 */
export function Find({
  session,
  read,
  list,
}: {
  readonly session: string;
  readonly read: ReadConversation;
  readonly list: RefObject<ListHandle | null>;
}): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<Element>(null);
  useCommands(
    useMemo(() => {
      const run = (): void => {
        if (input.current === null) opener.current = document.activeElement;
        setOpen(true);
        input.current?.select();
      };
      const command = { id: "chat-find", label: "Find in this conversation", keywords: "search text", group: "Chat" };
      return [{ ...command, keys: "mod+f", run }];
    }, []),
  );
  if (!isOpen) return null;
  const close = (): void => {
    setOpen(false);
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };
  return (
    <Suspense>
      <FindBar session={session} read={read} list={list} input={input} onClose={close} />
    </Suspense>
  );
}
