import { expect, test } from "vitest";
import { createStored } from "./stored.ts";

/** A window with this storage, whose `storage` events the test sends. */
function windowWith(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
  const target = new EventTarget();
  const window = Object.assign(target, { localStorage: storage }) as unknown as Window;
  const change = (key: string | null) => target.dispatchEvent(Object.assign(new Event("storage"), { key }));
  return { window, change };
}

function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test("a value is written through, read back by the next page, and removed", () => {
  const storage = memory();
  createStored("k", windowWith(storage).window).write("a");
  const next = createStored("k", windowWith(storage).window);
  expect(next.read()).toBe("a");
  next.write(undefined);
  expect([next.read(), storage.values.size]).toEqual([undefined, 0]);
});

test("changes are notified, of this page and of other tabs, but not those of other keys", () => {
  const storage = memory();
  const { window, change } = windowWith(storage);
  const stored = createStored("k", window);
  const seen: (string | undefined)[] = [];
  const stop = stored.subscribe(() => seen.push(stored.read()));
  stored.write("own");
  storage.setItem("k", "other tab");
  change("another key");
  change("k");
  storage.values.clear();
  change(null);
  expect(seen).toEqual(["own", "other tab", undefined]);
  stop();
  stored.write("late");
  expect(seen).toHaveLength(3);
});

test("where storage is refused, a value lasts as long as the page", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  const stored = createStored("k", windowWith({ getItem: refuse, setItem: refuse, removeItem: refuse }).window);
  expect(stored.read()).toBeUndefined();
  stored.write("a");
  expect(stored.read()).toBe("a");
});
