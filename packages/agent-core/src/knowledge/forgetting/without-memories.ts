/** Texts without what was forgotten of them. */

/** What stands where a memory was. */
export const FORGOTTEN = "[forgotten]";

/** A memory to be taken out. Blank content: it is known by its number alone. */
export interface ForgottenMemory {
  readonly id: number;
  readonly content: string;
}

/** Memories whose words are looked for as such; of more of them, as of a long document, only their lines are. */
const MOST_LOOKED_FOR = 500;
/** Characters of the shortest words that are looked for: shorter ones occur by chance. */
const SHORTEST = 4;

/** What takes memories out of a text: the lines that show them, and their words wherever they stand. */
export function withoutMemories(memories: readonly ForgottenMemory[]): (text: string) => string {
  const ids = new Set(memories.map(({ id }) => id));
  const contents = memories.slice(0, MOST_LOOKED_FOR).map(({ content }) => content.trim());
  const words = contents.filter((content) => content.length >= SHORTEST).map(patternOf);
  return (text) => {
    const lines = text.replaceAll(/^#(\d+) \[.*$/gmu, (line, id: string) =>
      ids.has(Number(id)) ? `#${id} ${FORGOTTEN}` : line,
    );
    return words.reduce((rest, pattern) => rest.replaceAll(pattern, FORGOTTEN), lines);
  };
}

/** The same in every text of a JSON value. */
export function inEveryText(json: string, rewrite: (text: string) => string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) => (typeof value === "string" ? rewrite(value) : value));
}

/** Kinds of space and case make no difference. */
function patternOf(content: string): RegExp {
  const words = content.split(/\s+/u).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  return new RegExp(words.join(String.raw`\s+`), "giu");
}
