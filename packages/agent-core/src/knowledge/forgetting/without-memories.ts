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

/** What takes memories out of a text: the lines that show them, and their words wherever they stand; of conversations what is shown of them. */
export function withoutMemories(
  memories: readonly ForgottenMemory[],
  sessions: readonly string[] = [],
): (text: string) => string {
  const ids = new Set(memories.map(({ id }) => id));
  const contents = memories.slice(0, MOST_LOOKED_FOR).map(({ content }) => content.trim());
  const words = contents.filter((content) => content.length >= SHORTEST).map(patternOf);
  const ofSessions = sessions.flatMap(withoutSession);
  return (text) => {
    const shown = ofSessions.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, () => instead), text);
    const lines = shown.replaceAll(/^#(\d+) \[.*$/gmu, (line, id: string) =>
      ids.has(Number(id)) ? `#${id} ${FORGOTTEN}` : line,
    );
    return words.reduce((rest, pattern) => rest.replaceAll(pattern, FORGOTTEN), lines);
  };
}

/** The line of a conversation, and what is read of it: between two lines, or to the end where that was cut off. */
function withoutSession(session: string): readonly (readonly [pattern: RegExp, instead: string])[] {
  const id = escaped(session.replaceAll(/\s+/g, " "));
  const begin = `--- session ${session} ---`;
  const end = `--- end of session ${session} ---`;
  return [
    [new RegExp(`^session ${id} \\[.*$`, "gmu"), `session ${session} ${FORGOTTEN}`],
    [
      new RegExp(`${escaped(begin)}\\n[\\s\\S]*?(?:${escaped(end)}|(?![\\s\\S]))`, "gu"),
      [begin, FORGOTTEN, end].join("\n"),
    ],
  ];
}

/** The same in every text of a JSON value. */
export function inEveryText(json: string, rewrite: (text: string) => string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) => (typeof value === "string" ? rewrite(value) : value));
}

/** Kinds of space and case make no difference. */
function patternOf(content: string): RegExp {
  return new RegExp(content.split(/\s+/u).map(escaped).join(String.raw`\s+`), "giu");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
