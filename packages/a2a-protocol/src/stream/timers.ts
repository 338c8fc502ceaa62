/** The clock's bell: real by default, in a test whatever the test rings. */
export interface Timers {
  /** Calls `ring` once after `ms` milliseconds unless the returned function is called before. */
  after(ms: number, ring: () => void): () => void;
}

/** Timers by the runtime's `setTimeout`. */
export const runtimeTimers: Timers = {
  after(ms, ring) {
    const handle = setTimeout(ring, ms);
    return () => clearTimeout(handle);
  },
};

/** What `promise` resolves to within `ms` milliseconds, else undefined. Rejects with what it rejects with until then. */
export function within<T>(ms: number, promise: Promise<T>, timers: Timers): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = timers.after(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(stop);
  });
}
