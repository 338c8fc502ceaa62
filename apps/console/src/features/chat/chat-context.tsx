import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useState } from "react";
import { createStored, type Stored, useApi, wait } from "../../api/index.ts";
import { type Bypass, createBypass } from "./composer/bypass.ts";
import { createDraftFiles, type DraftFiles } from "./composer/draft-files.ts";
import { createDrafts, type Drafts } from "./composer/drafts.ts";
import { createLiveTurns, type LiveTurns } from "./live/live-turns.ts";
import { readUsage } from "./live/read-usage.ts";
import { createMovedTo, type MovedTo } from "./versions/moved-to.ts";

/** State that the parts of the chat share while it is on the page. */
export interface Chat {
  readonly live: LiveTurns;
  readonly drafts: Drafts;
  readonly draftFiles: DraftFiles;
  readonly bypass: Bypass;
  /** The open tabs, as JSON. */
  readonly tabs: Stored;
  /** Where a person goes in another version of a conversation. */
  readonly moved: MovedTo;
}

const Context = createContext<Chat | undefined>(undefined);
/** Browsers run no animation frames in a hidden page, where screen readers and the title still need the changes. */
const HIDDEN_MS = 250;

/** Creates the shared state of the chat. Leaving the page stops following turns; the agent continues them. */
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
      bypass: createBypass(() => window.sessionStorage),
      tabs: createStored("agent-service.chat-tabs", window),
      moved: createMovedTo(),
    });
    const stop = events.listen((event) => {
      const found = readUsage(event);
      if (found !== undefined) live.recordUsage(found.taskId, found.usage);
    });
    return () => {
      stop();
      live.close();
    };
  }, [agent, events]);
  return chat === undefined ? null : <Context.Provider value={chat}>{children}</Context.Provider>;
}

/** The shared state of the chat. Throws outside of a `ChatProvider`. */
export function useChat(): Chat {
  const chat = useContext(Context);
  if (chat === undefined) throw new Error("useChat outside of ChatProvider");
  return chat;
}
