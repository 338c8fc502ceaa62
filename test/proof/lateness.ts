/** Milliseconds between two looks. */
const LOOK_MS = 50;

/** Measures how late this process is: on a busy machine POSTs run into their limit. */
export interface Lateness {
  /** The worst so far, in milliseconds. */
  readonly worst: number;
  /** How much of one such delay this thread was at work itself, at most, in milliseconds. */
  readonly worstOwn: number;
  stop(): void;
}

/** Processor time of this thread, in milliseconds. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Starts watching. */
export function watchLateness(): Lateness {
  let worst = 0;
  let worstOwn = 0;
  let looked = performance.now();
  let used = ownMs();
  const looks = setInterval(() => {
    const [now, own] = [performance.now(), ownMs()];
    const late = now - looked - LOOK_MS;
    worst = Math.max(worst, late);
    worstOwn = Math.max(worstOwn, Math.min(late, own - used));
    [looked, used] = [now, own];
  }, LOOK_MS);
  return {
    get worst() {
      return worst;
    },
    get worstOwn() {
      return worstOwn;
    },
    stop: () => clearInterval(looks),
  };
}
