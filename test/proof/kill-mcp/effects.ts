/** What calls did at the servers: one line each, in a file that no kill takes away. */
import { readFileSync } from "node:fs";

/** One effect. */
export interface Effect {
  /** As the model names it. */
  readonly tool: string;
  /** Names the call: unique in a trial. */
  readonly token: string;
}

/** The effects so far. A line is one write, so a killed process leaves whole lines only. */
export function readEffects(file: string): readonly Effect[] {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Effect);
}
