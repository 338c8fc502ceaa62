import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { createStored, type Stored, useApi } from "../../api/index.ts";
import { createDraftFiles, type DraftFiles } from "./draft-files.ts";
import { createDrafts, type Drafts } from "./drafts.ts";
import type { LiveTurn } from "./live-turn.ts";
import { createLiveTurns, type LiveTurns } from "./live-turns.ts";

/** What the parts of the chat share while it is on the page. */
export interface Chat {
  readonly live: LiveTurns;
  readonly drafts: Drafts;
  readonly draftFiles: DraftFiles;
  /** The conversations at hand, as JSON. */
  readonly tabs: Stored;
}

const Context = createContext<Chat | undefined>(undefined);
/** Hidden pages draw no frames; what is heard is still told to screen readers and titles. */
const HIDDEN_MS = 250;

/** Makes what the chat shares. What it follows ends with it; the agent goes on, and the next one picks it up. */
export function ChatProvider({ children }: { readonly children: ReactNode }): ReactElement | null {
  const { agent } = useApi();
  const [chat, setChat] = useState<Chat>();
  useEffect(() => {
    const live = createLiveTurns({
      agent,
      now: () => Date.now(),
      newKey: () => crypto.randomUUID(),
      schedule: (run) => {
        if (document.hidden) setTimeout(run, HIDDEN_MS);
        else requestAnimationFrame(run);
      },
      wait: (ms, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, ms);
          signal.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve();
          });
        }),
    });
    setChat({
      live,
      drafts: createDrafts(() => window.localStorage),
      draftFiles: createDraftFiles(
        () => window.indexedDB,
        () => Date.now(),
      ),
      tabs: createStored("agent-service.chat-tabs", window),
    });
    return () => live.close();
  }, [agent]);
  return chat === undefined ? null : <Context.Provider value={chat}>{children}</Context.Provider>;
}

/** What the parts of the chat share. */
export function useChat(): Chat {
  const chat = useContext(Context);
  if (chat === undefined) throw new Error("useChat outside of ChatProvider");
  return chat;
}

/** The live turns of a session; changes when one comes or gets its task, not while text comes. */
export function useLiveList(session: string): readonly LiveTurn[] {
  const { live } = useChat();
  return useSyncExternalStore(live.onList, () => live.of(session));
}

/** A live turn as it is now; draws whoever asks once a frame. */
export function useLiveTurn(key: string | undefined): LiveTurn | undefined {
  const { live } = useChat();
  return useSyncExternalStore(
    useCallback((tell) => (key === undefined ? () => {} : live.onTurn(key, tell)), [live, key]),
    () => (key === undefined ? undefined : live.get(key)),
  );
}
