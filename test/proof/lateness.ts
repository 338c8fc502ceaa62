/** Milliseconds between two looks. */
const LOOK_MS = 50;

/** Measures how late this process is: on a busy machine POSTs run into their limit. */
export interface Lateness {
  /** The worst so far, in milliseconds. */
  readonly worst: number;
  stop(): void;
}

/** Starts watching. */
export function watchLateness(): Lateness {
  let worst = 0;
  let looked = performance.now();
  const looks = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - looked - LOOK_MS);
    looked = now;
  }, LOOK_MS);
  return {
    get worst() {
      return worst;
    },
    stop: () => clearInterval(looks),
  };
}
