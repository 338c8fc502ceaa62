import { readFileSync } from "node:fs";

/** The JSON values of a file, one a line; none where it is not there. A line is one write, so a killed process leaves whole lines only. */
export function readJsonLines<T>(file: string): readonly T[] {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
