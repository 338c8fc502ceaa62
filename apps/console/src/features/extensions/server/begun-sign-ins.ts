/** Which server each sign-in was begun for: the page that ends it knows no more of it than its state. */

const KEY = "mcp-sign-ins";
/** More are not at once in one tab. */
const MOST = 8;

type Store = Pick<Storage, "getItem" | "setItem">;

function read(store: Store): readonly (readonly [state: string, server: string])[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPair) : [];
  } catch {
    return [];
  }
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string");
}

function write(store: Store, pairs: readonly (readonly [string, string])[]): void {
  try {
    store.setItem(KEY, JSON.stringify(pairs));
  } catch {
    // Without a store the sign-in cannot come back here; the page says so.
  }
}

export function keepSignIn(store: Store, state: string, server: string): void {
  write(store, [[state, server] as const, ...read(store)].slice(0, MOST));
}

/** The server of a sign-in, once. */
export function takeSignIn(store: Store, state: string): string | undefined {
  const kept = read(store);
  const found = kept.find(([one]) => one === state);
  if (found !== undefined)
    write(
      store,
      kept.filter((one) => one !== found),
    );
  return found?.[1];
}
