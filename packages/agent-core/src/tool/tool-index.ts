/** Finds tools by words of their names and descriptions, over an index that is built once per list. */
import type { ModelTool } from "../model/index.ts";

/** Characters of a description that are searched. */
const SEARCHED_CHARS = 1000;
/** Different words of a description that are searched. */
const SEARCHED_WORDS = 64;
/** Words of a query that are searched for. */
const MOST_WORDS = 16;
/** What a word in a name counts, where one in a description counts 1. */
const IN_NAME = 3;

/** The words of one tool. */
interface ToolWords {
  readonly name: readonly string[];
  readonly description: readonly string[];
}

/** Where a word is: places of tools in the list. */
interface Places {
  readonly names: number[];
  readonly descriptions: number[];
}

/** The words of the tools of former lists, so that a new list costs what is new in it. */
export type KnownWords = WeakMap<ModelTool, ToolWords>;

function distinctWords(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
}

function wordsOf(tool: ModelTool, words: KnownWords): ToolWords {
  const known = words.get(tool);
  if (known !== undefined) return known;
  const description = distinctWords(tool.description.slice(0, SEARCHED_CHARS)).slice(0, SEARCHED_WORDS);
  const made = { name: distinctWords(tool.name), description };
  words.set(tool, made);
  return made;
}

/** A word of five letters or more is found by its beginning too: "searching" finds "search". */
function stemOf(word: string): string {
  return word.length < 5 ? word : word.slice(0, Math.max(4, word.length - 3));
}

export class ToolIndex {
  readonly #tools: readonly ModelTool[];
  readonly #places = new Map<string, Places>();

  constructor(tools: Iterable<ModelTool>, words: KnownWords = new WeakMap()) {
    this.#tools = [...tools];
    for (const [at, tool] of this.#tools.entries()) {
      const { name, description } = wordsOf(tool, words);
      for (const word of name) this.#placesOf(word).names.push(at);
      for (const word of description) this.#placesOf(word).descriptions.push(at);
    }
  }

  /**
   * The tools that a query finds, best first; a query without words finds all. A word that few tools have counts more than
   * one that many have, a whole word more than a part of one, and a name three times what a description counts.
   */
  find(query: string): readonly ModelTool[] {
    const words = distinctWords(query).slice(0, MOST_WORDS);
    if (words.length === 0) return this.#tools;
    const scores = new Float64Array(this.#tools.length);
    for (const word of words) this.#add(word, scores);
    return bestFirst(scores).map((at) => this.#tools[at]!);
  }

  #placesOf(word: string): Places {
    const known = this.#places.get(word);
    if (known !== undefined) return known;
    const made: Places = { names: [], descriptions: [] };
    this.#places.set(word, made);
    return made;
  }

  #add(word: string, scores: Float64Array): void {
    const stem = stemOf(word);
    // How well the word fits each tool.
    const [names, descriptions] = [new Uint8Array(scores.length), new Uint8Array(scores.length)];
    for (const [known, places] of this.#places) {
      if (!known.includes(stem)) continue;
      const fit = known === word ? 3 : known.includes(word) ? 2 : 1;
      for (const at of places.names) if (names[at]! < fit) names[at] = fit;
      for (const at of places.descriptions) if (descriptions[at]! < fit) descriptions[at] = fit;
    }
    let count = 0;
    for (let at = 0; at < scores.length; at++) if (names[at]! + descriptions[at]! > 0) count++;
    const rarity = 1 + Math.log(scores.length / Math.max(1, count));
    for (let at = 0; at < scores.length; at++) scores[at]! += (IN_NAME * names[at]! + descriptions[at]!) * rarity;
  }
}

/** More than the tools of any list. */
const PLACES = 2 ** 20;

/** The places whose score is above 0, the highest score first, else in order: sorted as numbers, without a comparison. */
function bestFirst(scores: Float64Array): readonly number[] {
  const keys = new Float64Array(scores.length);
  let count = 0;
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! > 0) keys[count++] = Math.round(scores[at]! * 1000) * PLACES + (PLACES - 1 - at);
  }
  return Array.from(keys.subarray(0, count).sort().reverse(), (key) => PLACES - 1 - (key % PLACES));
}
