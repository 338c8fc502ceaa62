import { useSyncExternalStore } from "react";
import { useApi } from "../api/index.ts";

/** Whether open chats have tabs, in this browser. Off until a person turns it on. */
export function useTabsShown(): { readonly shown: boolean; readonly show: (shown: boolean) => void } {
  const { chatTabs } = useApi();
  const shown = useSyncExternalStore(chatTabs.subscribe, chatTabs.read) === "on";
  return { shown, show: (next) => chatTabs.write(next ? "on" : undefined) };
}
