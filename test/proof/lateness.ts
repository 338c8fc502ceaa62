/** Milliseconds between two looks. */
const LOOK_MS = 50;

/** Watches how late this process is: a machine that is busy elsewhere lets POSTs run into their limit. */
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
