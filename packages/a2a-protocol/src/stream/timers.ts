/** The clock's bell: real by default, in a test whatever the test rings. */
export interface Timers {
  /** Calls `ring` once after `ms` milliseconds unless the returned function is called before. */
  after(ms: number, ring: () => void): () => void;
}

/** Timers of the runtime. */
export const runtimeTimers: Timers = {
  after(ms, ring) {
    const handle = setTimeout(ring, ms);
    return () => clearTimeout(handle);
  },
};
