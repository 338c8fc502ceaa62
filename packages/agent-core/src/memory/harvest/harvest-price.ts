import { estimateCost, HARVEST_INSTRUCTIONS, type KnownPrice, NO_MODEL_USAGE } from "../../model/index.ts";
import { MOST_CHARACTERS } from "./harvest-source.ts";
import { MAX_TOKENS } from "./harvest-tasks.ts";

const CHARACTERS_A_TOKEN = 4;

/** US dollars that the extraction of a conversation costs at most, roughly: the longest text of it, and the longest answer. */
export function harvestCost(price: KnownPrice | undefined): number | undefined {
  const input = Math.ceil((HARVEST_INSTRUCTIONS.length + MOST_CHARACTERS) / CHARACTERS_A_TOKEN);
  return estimateCost({ ...NO_MODEL_USAGE, input, output: MAX_TOKENS }, price);
}
