/** A text in the browser's storage, with change notifications. */
export interface Stored {
  /** Undefined where nothing is stored. */
  read(): string | undefined;
  write(value: string | undefined): void;
  /** Calls the listener on changes, also those of other tabs. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

/** Stores a text under a key of `localStorage`. Where that is refused, the text lasts as long as the page. */
export function createStored(key: string, window: Window): Stored {
  const listeners = new Set<() => void>();
  let value: string | undefined;
  const load = (): void => {
    try {
      value = window.localStorage.getItem(key) ?? undefined;
    } catch {
      // Storage is refused: the value in memory stays.
    }
  };
  load();
  window.addEventListener("storage", (event) => {
    if (event.key !== key && event.key !== null) return;
    load();
    for (const listener of listeners) listener();
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
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
