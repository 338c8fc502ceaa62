import { useCallback, useSyncExternalStore } from "react";

/** Of this tab: another one may show another conversation. */
const KEY = "agent-service.follow-code";
const CHANGED = "agent-service:follow-code";

const FOLLOWED = "agent-service.followed-code";
const MOST_KEPT = 50;

/** Whether this was opened by itself in this tab, so that coming back to a conversation does not open it again. */
export function wasFollowed(id: string): boolean {
  return followed().includes(id);
}

export function keepFollowed(id: string): void {
  try {
    window.sessionStorage.setItem(FOLLOWED, JSON.stringify([id, ...followed()].slice(0, MOST_KEPT)));
  } catch {
    // Storage is refused: it may be opened again.
  }
}

function followed(): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(FOLLOWED) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Whether what the agent shows is opened beside the conversation by itself, and what changes that. On by default. */
export function useFollow(): readonly [on: boolean, set: (on: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, read);
  const set = useCallback((on: boolean) => {
    try {
      if (on) window.sessionStorage.removeItem(KEY);
      else window.sessionStorage.setItem(KEY, "off");
    } catch {
      // Storage is refused: it stays on.
    }
    window.dispatchEvent(new Event(CHANGED));
  }, []);
  return [isOn, set];
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}

function read(): boolean {
  try {
    return window.sessionStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}
