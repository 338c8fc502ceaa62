/** What the cases of `pnpm bench:files` have in common. */
import type { Bound } from "../bounds.ts";

/** One part of the bench. It prints what it found and answers the bounds to hold. */
export interface FilesCase {
  readonly name: string;
  run(options: CaseOptions): Promise<readonly Bound[]>;
}

export interface CaseOptions {
  /** Of each thing that is measured; each case makes of it what it can afford. */
  readonly rounds: number;
}

/** Milliseconds that nothing may hold up the service for. */
export const MOST_STALL_MS = 50;

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Something that is measured; it may answer what it measured itself, in milliseconds. */
export type Measured = () => unknown;

/**
 * Does each in turn, as often as asked, after once for nothing; the medians in milliseconds. What a moment of the machine
 * does to one of them it does to its neighbour.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  measured: Readonly<Record<Name, Measured>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(measured) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const began = performance.now();
      const own = await measured[name]();
      if (round > 0) times.get(name)!.push(typeof own === "number" ? own : performance.now() - began);
    }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>;
}

/** One line of figures. */
export function show(what: string, figures: Readonly<Record<string, number>>): void {
  const texts = Object.entries(figures).map(([name, ms]) => `${name} ${ms.toFixed(ms < 10 ? 2 : 0)} ms`);
  console.log(`  ${what}: ${texts.join(", ")}`);
}

/** A ratio of two times, which no machine scales. */
export function ratio(what: string, own: number, other: number, most: number): Bound {
  return { what: `${what}, times`, found: own / other, most, isTime: false };
}

/** A time, held × the calibration's factor. */
export function time(what: string, ms: number, most: number): Bound {
  return { what: `${what}, ms`, found: ms, most, isTime: true };
}
