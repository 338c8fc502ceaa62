import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useTabsShown } from "../../../appearance/index.ts";
import { useChat } from "../chat-context.tsx";
import { readTabs, type Tab, withoutTab, withTab } from "./open-tabs.ts";

/** The open tabs, shared by all parts of the chat and kept in the browser; none are added where tabs are not shown. */
export function useTabs(): {
  readonly tabs: readonly Tab[];
  readonly keep: (tab: Tab) => void;
  /** Closes a tab; returns its neighbour. */
  readonly close: (session: string) => Tab | undefined;
} {
  const { tabs: stored } = useChat();
  const { shown: isShown } = useTabsShown();
  const kept = useSyncExternalStore(stored.subscribe, stored.read);
  const tabs = useMemo(() => readTabs(kept), [kept]);
  const keep = useCallback(
    (tab: Tab) => {
      if (!isShown) return;
      const next = JSON.stringify(withTab(readTabs(stored.read()), tab));
      if (next !== stored.read()) stored.write(next);
    },
    [stored, isShown],
  );
  const close = useCallback(
    (session: string) => {
      const { tabs: left, beside } = withoutTab(readTabs(stored.read()), session);
      stored.write(JSON.stringify(left));
      return beside;
    },
    [stored],
  );
  return { tabs, keep, close };
}
