/** What the whole suite may take, alone on two cores of the reference machine. */
const MOST_SECONDS = 480;

/**
 * How long the suite took beside what it may take: the bound times how much slower than the reference this machine was, measured
 * before and after. It is told, not held: a run beside other work takes longer.
 */
export function took(seconds: number, factors: readonly number[]): string {
  const factor = factors.reduce((sum, one) => sum + one, 0) / factors.length;
  const most = MOST_SECONDS * factor;
  const measured = factors.map((one) => one.toFixed(2)).join(" and ");
  const verdict = seconds <= most ? "held" : "missed";
  return `took ${seconds.toFixed(0)} s; alone at most ${MOST_SECONDS} s x ${factor.toFixed(2)} (measured ${measured}) = ${most.toFixed(0)} s: ${verdict}`;
}
