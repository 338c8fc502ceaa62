import type { LanguageInput } from "shiki/core";

/** What loads each grammar, by Shiki's name of its language. */
export type Grammars = Readonly<Record<string, () => Promise<{ readonly default: LanguageInput }>>>;
