/** What the whole suite may take, alone on two cores of the reference machine. */
const MOST_SECONDS = 480;

/**
 * A line with the duration of the suite and its bound, times how much slower than the reference this machine was before and
 * after. The command prints it and does not fail for it: a run beside other work takes longer.
 */
export function durationLine(seconds: number, factors: readonly number[]): string {
  const factor = factors.reduce((sum, one) => sum + one, 0) / factors.length;
  const most = MOST_SECONDS * factor;
  const measured = factors.map((one) => one.toFixed(2)).join(" and ");
  const verdict = seconds <= most ? "held" : "missed";
  return `took ${seconds.toFixed(0)} s; alone at most ${MOST_SECONDS} s x ${factor.toFixed(2)} (measured ${measured}) = ${most.toFixed(0)} s: ${verdict}`;
}
