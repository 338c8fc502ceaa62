/** In which conversations of this browser tab approvals are bypassed (F12). */
export interface Bypass {
  isOn(conversation: string): boolean;
  set(conversation: string, on: boolean): void;
  /** A new conversation has its name from now on. */
  rename(before: string, now: string): void;
  /** Calls the listener on changes. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

const KEY = "agent-service.bypassed";
/** The one of the most that was switched on first is asked in again. */
const MAX_CONVERSATIONS = 50;

/** Kept for as long as the browser tab, so that no other window runs anything unasked; where that is refused, for the page. */
export function createBypass(storage: () => Storage): Bypass {
  const listeners = new Set<() => void>();
  let on: readonly string[] = read(storage);
  const write = (next: readonly string[]): void => {
    on = next.slice(-MAX_CONVERSATIONS);
    try {
      storage().setItem(KEY, JSON.stringify(on));
    } catch {
      // Refused or full.
    }
    for (const listener of listeners) listener();
  };
  const set = (conversation: string, isOn: boolean): void => {
    if (on.includes(conversation) === isOn) return;
    write(isOn ? [...on, conversation] : on.filter((one) => one !== conversation));
  };
  return {
    isOn: (conversation) => on.includes(conversation),
    set,
    rename(before, now) {
      if (before === now || !on.includes(before)) return;
      write([...on.filter((one) => one !== before && one !== now), now]);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(storage: () => Storage): readonly string[] {
  try {
    const value: unknown = JSON.parse(storage().getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
