import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { languageNamed } from "./language-names.ts";

/** A run of code in one colour; undefined: that of the text. */
export interface CodeToken {
  readonly content: string;
  readonly color: string | undefined;
}

type Load = () => Promise<{ readonly default: LanguageInput }>;

const LANGUAGES: Readonly<Record<string, Load>> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  dart: () => import("shiki/langs/dart.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  graphql: () => import("shiki/langs/graphql.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  powershell: () => import("shiki/langs/powershell.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  r: () => import("shiki/langs/r.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  scala: () => import("shiki/langs/scala.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

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
    const load = LANGUAGES[lang];
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
