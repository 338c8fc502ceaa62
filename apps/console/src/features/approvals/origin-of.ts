import type { WaitingPrompt } from "../../prompts/index.ts";

/** The origin of a prompt for people: the surface first, then down to the task that asks. */
export function originOf({
  origin,
  parents,
  class: caller,
}: Pick<WaitingPrompt, "origin" | "parents" | "class">): string {
  const path = [...parents.map((parent) => parent.origin).reverse(), origin].join(" → ");
  return caller === "federation" ? `a peer's task, by ${path}` : path;
}
