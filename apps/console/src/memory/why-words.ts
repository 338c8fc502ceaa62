import { count } from "../ui/index.ts";
import type { Injection } from "./memory.ts";

type Item = Injection["items"][number];

/** Why a memory was shown. */
export function whyWords({ kind, words, keyword_rank: byWords, vector_rank: byMeaning }: Item): string {
  if (kind === "always") return "in every conversation";
  const found = [
    byWords !== null &&
      `${place(byWords)} by words${words === null ? "" : `, ${counted(words, "word")} of the message`}`,
    byMeaning !== null && `${place(byMeaning)} by meaning`,
  ].filter((one) => one !== false);
  return found.length === 0 ? "fits the message" : found.join("; ");
}

function place(rank: number): string {
  return `place ${rank}`;
}

/** A number of things. */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}
