/**
 * What counts as approving (A13): the words approve, approved, yes, y, ok and true, in any case, with white space
 * and closing punctuation around them, or data that says the same. Anything else declines.
 */

const WORDS: ReadonlySet<string> = new Set(["approve", "approved", "yes", "y", "ok", "true"]);
/** Most characters of a note that are kept. */
const NOTE_CHARS = 2000;

/** A decision. `note` is what was said beside it, for the model to read. */
export interface Decision {
  readonly approved: boolean;
  readonly note?: string;
}

/** A question mark is left: "ok?" asks back, and so declines. */
function isApprovalWord(text: string): boolean {
  const word = text.replace(/^[\s"'`*_([]+/, "").replace(/[\s"'`*_)\].!,;:]+$/, "");
  return WORDS.has(word.toLowerCase());
}

function approves(value: unknown): boolean {
  return value === true || (typeof value === "string" && isApprovalWord(value));
}

function noted(approved: boolean, note: unknown): Decision {
  if (typeof note !== "string" || note.trim() === "") return { approved };
  return { approved, note: note.trim().slice(0, NOTE_CHARS) };
}

/**
 * Reads a decision from what a person said: a text, `true` or `false`, or data with `answer`, `approved` or `decision`
 * (all of those present must approve) and, beside it, `note`. A text of more than the word declines and becomes the
 * note. Never throws; what it does not understand declines.
 */
export function readDecision(answer: unknown): Decision {
  if (typeof answer === "string") return isApprovalWord(answer) ? { approved: true } : noted(false, answer);
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return { approved: answer === true };
  const said = answer as { [key: string]: unknown };
  const named = ["answer", "approved", "decision"].filter((key) => Object.hasOwn(said, key));
  const approved = named.length > 0 && named.every((key) => approves(said[key]));
  return noted(approved, Object.hasOwn(said, "note") ? said.note : undefined);
}
