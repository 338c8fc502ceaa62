/** What calls did at the servers: one line each, in a file that no kill takes away. */
import { readJsonLines } from "../json-lines.ts";

/** One effect. */
export interface Effect {
  /** As the model names it. */
  readonly tool: string;
  /** Names the call: unique in a trial. */
  readonly token: string;
}

/** The effects so far. */
export function readEffects(file: string): readonly Effect[] {
  return readJsonLines(file);
}
