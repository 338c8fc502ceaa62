import type { WaitingPrompt } from "../../prompts/index.ts";
import { originLabel } from "../../timeline/index.ts";

/** The origin of a prompt for people: the surface first, then down to the run that asks. */
export function originOf({
  origin,
  parents,
  class: caller,
}: Pick<WaitingPrompt, "origin" | "parents" | "class">): string {
  const path = [...parents.map((parent) => parent.origin).reverse(), origin]
    .map((one) => originLabel(one, caller))
    .join(" → ");
  return caller === "federation" ? `Another agent's, by ${path}` : path;
}
