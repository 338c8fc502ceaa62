/** Finds a text in a conversation, in what people read of it. */
import type { TurnPage } from "./read-turns.ts";
import type { SessionTurn } from "./session-turn.ts";

/** Turns that one search looks at: it goes on with the next ones. */
export const TURNS_SEARCHED = 200;

/** A turn that holds a text. */
export interface TurnMatch {
  readonly task: string;
  /** How often the text occurs in it. */
  readonly count: number;
}

/** Turns that hold a text, newest first. */
export interface MatchPage {
  readonly matches: readonly TurnMatch[];
  /** Where the search goes on; undefined once all turns were looked at. */
  readonly next: string | undefined;
}

/** The turns of a page that hold a text. */
export function matchesIn({ turns, next }: TurnPage, text: string): MatchPage {
  const matches = turns.map((turn) => ({ task: turn.task, count: countIn(turn, text) }));
  return { matches: matches.filter(({ count }) => count > 0), next };
}

/** How often a text occurs in a turn's messages, names of files, answer, components and note. */
function countIn(turn: SessionTurn, text: string): number {
  const wanted = patternOf(text);
  const texts = [
    ...turn.messages.map((message) => message.text),
    ...turn.messages.flatMap(({ files }) => files.flatMap(({ name }) => name ?? [])),
    readable(turn.answer),
    ...turn.artifacts.flatMap((one) => textsIn(one.kind === "component" ? one.component : one.data)),
    turn.note ?? "",
  ];
  return texts.reduce((count, one) => count + (one.normalize("NFC").match(wanted)?.length ?? 0), 0);
}

/** Without the marks of Markdown that a reader does not see, so far as they stand inside of words and sentences. */
function readable(markdown: string): string {
  return markdown.replaceAll(/\[([^\]\n]{0,500})\]\([^)\s]{0,2000}\)/g, "$1").replaceAll(/\*\*|__|`/g, "");
}

/** Capitals, kinds of space, and whether an accent is a character of its own make no difference. */
function patternOf(text: string): RegExp {
  const words = text.normalize("NFC").trim().split(/\s+/);
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  // A letter that has an accent is another one.
  return new RegExp(`${escaped.join(String.raw`\s+`)}(?![\u0300-\u036f])`, "giu");
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
