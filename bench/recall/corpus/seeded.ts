/** Numbers that are the same for the same seed (mulberry32). */
export interface Seeded {
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  one<T>(of: readonly T[]): T;
  /** All of them, in another order. */
  shuffled<T>(of: readonly T[]): T[];
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    one: <T>(of: readonly T[]) => of[below(of.length)] as T,
    shuffled<T>(of: readonly T[]): T[] {
      const rest = [...of];
      for (let at = rest.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [rest[at], rest[other]] = [rest[other] as T, rest[at] as T];
      }
      return rest;
    },
  };
}
