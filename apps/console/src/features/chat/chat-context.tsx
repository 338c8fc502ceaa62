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
import { createStored, type Stored, useApi, wait } from "../../api/index.ts";
import { createDraftFiles, type DraftFiles } from "./draft-files.ts";
import { createDrafts, type Drafts } from "./drafts.ts";
import { isOver, type LiveTurn, type UsedSoFar } from "./live-turn.ts";
import { createLiveTurns, type LiveTurns } from "./live-turns.ts";
import { readUsed } from "./read-used.ts";

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
  const { agent, events } = useApi();
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
      wait,
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
    const stop = events.listen((event) => {
      const heard = readUsed(event);
      if (heard !== undefined) live.use(heard.taskId, heard.used);
    });
    return () => {
      stop();
      live.close();
    };
  }, [agent, events]);
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

/** What the turn that runs in a session took so far; undefined: none runs, or none of its model calls ended. */
export function useUsedSoFar(session: string): UsedSoFar | undefined {
  const { live } = useChat();
  const last = useLiveList(session).at(-1)?.key;
  return useSyncExternalStore(
    useCallback((tell) => (last === undefined ? () => {} : live.onTurn(last, tell)), [live, last]),
    () => {
      const turn = last === undefined ? undefined : live.get(last);
      return turn === undefined || isOver(turn.state) ? undefined : turn.used;
    },
  );
}
