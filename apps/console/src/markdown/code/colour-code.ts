import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { GRAMMARS } from "./grammars.ts";
import { languageNamed } from "./language-names.ts";

/** A run of code in one colour; undefined: that of the text. */
export interface CodeToken {
  readonly content: string;
  readonly color: string | undefined;
}

const THEME = "console";
/**
 * Milliseconds for a line, in the worker. The first one compiles the grammar's expressions; with Shiki's own half second a busy
 * machine left it without colours.
 */
const LINE_LIMIT_MS = 10_000;

/** Lines of highlighted code; undefined: the language is not known. */
export type ColouredLines = readonly (readonly CodeToken[])[] | undefined;

/**
 * Creates the highlighter. The grammar of a language is loaded at its first use, and its expressions are compiled
 * then: a quarter of a second without a pause, which is why the page asks a worker (`highlight.ts`). Colours are names of
 * the console's tokens: one highlighting serves both themes.
 */
export function createColouring(): (code: string, language: string) => Promise<ColouredLines> {
  let core: Promise<HighlighterCore> | undefined;
  return async (code, language) => {
    const lang = languageNamed(language);
    const load = GRAMMARS[lang];
    if (load === undefined) return undefined;
    core ??= createHighlighterCore({
      themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--code-" })],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
    const highlighter = await core;
    await highlighter.loadLanguage((await load()).default);
    const { tokens } = highlighter.codeToTokens(code, { lang, theme: THEME, tokenizeTimeLimit: LINE_LIMIT_MS });
    return tokens.map((line) => line.map(({ content, color }) => ({ content, color })));
  };
}
