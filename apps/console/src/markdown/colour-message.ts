import type { ColouredLines } from "./colour-code.ts";

/** Code to be coloured by the worker. */
export interface ColourQuestion {
  readonly id: number;
  readonly code: string;
  /** As the fence names it. */
  readonly language: string;
}

/** What the worker made of it; `lines` undefined: it is left as it is. */
export interface ColourAnswer {
  readonly id: number;
  readonly lines: ColouredLines;
}
