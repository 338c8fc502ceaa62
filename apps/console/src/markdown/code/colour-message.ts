import type { ColouredLines } from "./colour-code.ts";

/** Code to be coloured by the worker. */
export interface ColourQuestion {
  readonly id: number;
  readonly code: string;
  /** The info string of the fence. */
  readonly language: string;
}

/** The worker's result; `lines` undefined: the code stays as it is. */
export interface ColourAnswer {
  readonly id: number;
  readonly lines: ColouredLines;
}
