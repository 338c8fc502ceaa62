/** A text the browser keeps for this origin, and who wants to know when it changes. */
export interface Stored {
  /** Undefined: none. */
  read(): string | undefined;
  write(value: string | undefined): void;
  /** For `useSyncExternalStore`: also told of changes in other tabs. */
  subscribe(tell: () => void): () => void;
}

/** Keeps a text under a key of `localStorage`; where that is refused, for as long as the page lives. */
export function createStored(key: string, window: Window): Stored {
  const listeners = new Set<() => void>();
  let value: string | undefined;
  const load = (): void => {
    try {
      value = window.localStorage.getItem(key) ?? undefined;
    } catch {
      // Storage is off: what was written stays for the page's life.
    }
  };
  load();
  window.addEventListener("storage", (event) => {
    if (event.key !== key && event.key !== null) return;
    load();
    for (const tell of listeners) tell();
  });
  return {
    read: () => value,
    write(next) {
      value = next;
      try {
        if (next === undefined) window.localStorage.removeItem(key);
        else window.localStorage.setItem(key, next);
      } catch {
        // As above.
      }
      for (const tell of listeners) tell();
    },
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
}
