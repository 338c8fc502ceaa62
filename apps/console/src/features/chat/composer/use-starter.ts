import { useCallback } from "react";
import { useChat } from "../chat-context.tsx";
import type { OutgoingMessage } from "../live/outgoing-message.ts";

/** Sends a text that was not written, such as a card of an empty chat, with what is chosen in the message box. */
export function useStarter({
  session,
  draftKey,
  fresh,
  send,
}: {
  readonly session: string;
  readonly draftKey: string;
  /** No message was sent yet. */
  readonly fresh: boolean;
  readonly send: (message: OutgoingMessage) => void;
}): (text: string) => void {
  const { drafts } = useChat();
  return useCallback(
    (text: string) => {
      const draft = drafts.read(draftKey);
      const { model, effort } = draft;
      const incognito = fresh && draft.incognito;
      // What was begun stays for the next new chat, which is no incognito one unless it is chosen.
      if (incognito) drafts.write(draftKey, { ...draft, incognito: false });
      if (fresh) drafts.write(session, { text: "", model, effort, incognito });
      send({ session, text, files: [], model, effort, incognito });
    },
    [send, session, fresh, drafts, draftKey],
  );
}
