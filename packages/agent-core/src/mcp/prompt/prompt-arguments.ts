import type { PromptArgument } from "../definition/index.ts";

/** What was written behind the command of a prompt. */
export interface WrittenArguments {
  readonly values: { readonly [name: string]: string };
  /** What no argument takes; it follows the prompt's text. */
  readonly rest: string;
  /** Required ones that were not given. */
  readonly missing: readonly string[];
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** Undefined: it stands in its place. */
  readonly name: string | undefined;
  readonly value: string;
}

/** A word, or `name=word`; quotation marks hold spaces together. */
const WORD = /(?:([^\s="']+)=)?("(?:[^"\\]|\\.)*"|'[^']*'|\S+)/g;

function unquoted(text: string): string {
  const [first] = text;
  if (text.length < 2 || text.at(-1) !== first) return text;
  if (first === "'") return text.slice(1, -1);
  return first === '"' ? text.slice(1, -1).replace(/\\(["\\])/g, "$1") : text;
}

function wordsOf(text: string, names: ReadonlySet<string>): readonly Word[] {
  return [...text.matchAll(WORD)].map(({ 0: whole, 1: name, 2: value = "", index }) => {
    const isNamed = name !== undefined && names.has(name);
    return {
      ...{ start: index, end: index + whole.length },
      ...{ name: isNamed ? name : undefined, value: unquoted(isNamed ? value : whole) },
    };
  });
}

/**
 * Reads `name=value` for the arguments there are, and gives the others their words in order; the last one takes all that is
 * left, as a person writes a sentence.
 */
export function readArguments(text: string, definitions: readonly PromptArgument[]): WrittenArguments {
  const words = wordsOf(text, new Set(definitions.map(({ name }) => name)));
  const values = new Map<string, string>();
  for (const { name, value } of words) if (name !== undefined) values.set(name, value);
  const places = definitions.filter(({ name }) => !values.has(name));
  const left = words.filter(({ name }) => name === undefined);
  for (const [index, { name }] of places.entries()) {
    const word = left[index];
    if (word === undefined) break;
    const isLast = index === places.length - 1 && left.length > places.length;
    values.set(name, isLast ? joined(text, words, word.start) : word.value);
  }
  const missing = definitions.filter(({ name, required }) => required && (values.get(name) ?? "") === "");
  return {
    values: Object.fromEntries(
      definitions.flatMap(({ name }) => {
        const value = values.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    rest: places.length === 0 ? joined(text, words, 0) : "",
    missing: missing.map(({ name }) => name),
  };
}

/** The text from a place on as it was written, without what is named. */
function joined(text: string, words: readonly Word[], start: number): string {
  let from = start;
  let kept = "";
  for (const word of words) {
    if (word.name === undefined || word.start < start) continue;
    kept += text.slice(from, word.start);
    from = word.end;
  }
  return (kept + text.slice(from)).trim();
}
