import { COMPILED_GRAMMARS } from "./compiled-grammars.ts";
import { DATA_GRAMMARS } from "./data-grammars.ts";
import type { Grammars } from "./grammar.ts";
import { SCRIPT_GRAMMARS } from "./script-grammars.ts";

/** All grammars; each is a file of its own, loaded at its first use. */
export const GRAMMARS: Grammars = { ...DATA_GRAMMARS, ...COMPILED_GRAMMARS, ...SCRIPT_GRAMMARS };
