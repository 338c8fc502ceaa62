/**
 * Remembers what was made of the objects seen last. For values that many readers ask for at nearly the same time.
 *
 * Not a `WeakMap`: V8 keeps the keys of one alive through its young collections, so that every object ever looked up
 * reached the old generation (measured: all of them, 4 kB per task).
 */
export interface RecentlyMade<Value> {
  /** What was made of `key`, made now if it is not among the last ones. */
  get(key: object, make: () => Value): Value;
}

/** Keeps the last `size` results, in a ring; not those that are too `large`, which would stay in memory unused. */
export function recentlyMade<Value>(size = 16, large: (value: Value) => boolean = () => false): RecentlyMade<Value> {
  const keys = new Array<object | undefined>(size).fill(undefined);
  const values = new Array<Value | undefined>(size).fill(undefined);
  let next = 0;
  return {
    get(key, make) {
      const at = keys.indexOf(key);
      if (at >= 0) return values[at] as Value;
      const value = make();
      if (large(value)) return value;
      keys[next] = key;
      values[next] = value;
      next = (next + 1) % size;
      return value;
    },
  };
}

/** Characters of a text that is too large to remember. */
const LARGE_TEXT = 64 * 1024;

/** Remembers the texts of the objects seen last. */
export function recentlyWritten(): RecentlyMade<string> {
  return recentlyMade(16, ({ length }) => length >= LARGE_TEXT);
}
