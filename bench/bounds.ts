/** Bounds that a bench holds. */

/** One bound. A figure that was not measured (no `/proc`, fewer tasks) is undefined and not held. */
export interface Bound {
  /** What is bounded, with its unit. */
  readonly what: string;
  readonly found: number | undefined;
  /** The most it may be; of a time, on the reference machine alone and idle. */
  readonly most: number;
  /** Times are held × the calibration's factor; memory and tokens are not scaled. */
  readonly isTime: boolean;
}

/** Prints each bound with what was found, and sets the exit code where one is broken. */
export function holdBounds(bounds: readonly Bound[], factor: number): void {
  for (const { what, found, most, isTime } of bounds) {
    if (found === undefined || Number.isNaN(found)) continue;
    const held = isTime ? most * factor : most;
    const verdict = found <= held ? "held" : "BROKEN";
    const scaled = isTime ? ` (${most} × ${factor.toFixed(2)})` : "";
    console.log(`${verdict}: ${what}: ${shown(found)}, at most ${shown(held)}${scaled}`);
    if (found > held) process.exitCode = 1;
  }
}

function shown(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}
