/** The first `most` of what an order puts first, in that order: a pass over all, without sorting them. */
export function firstOf<T>(items: Iterable<T>, most: number, order: (a: T, b: T) => number): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length === most && (last === undefined || order(item, last) >= 0)) continue;
    const at = first.findIndex((other) => order(item, other) < 0);
    first.splice(at < 0 ? first.length : at, 0, item);
    if (first.length > most) first.pop();
  }
  return first;
}
