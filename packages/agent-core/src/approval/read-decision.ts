/**
 * What counts as an approval (A13): `approve`, `approved`, `yes`, `y`, `ok` and `true`, in any case, with white space
 * and closing punctuation around them, or data with the same meaning. Anything else declines.
 */

const APPROVALS: ReadonlySet<string> = new Set(["approve", "approved", "yes", "y", "ok", "true"]);
/** Most characters of a note that are kept. */
const NOTE_CHARS = 2000;

/** `note`: the person's comment, for the model to read. */
export interface Decision {
  readonly approved: boolean;
  readonly note?: string;
}

/** A question mark is left: "ok?" asks back, and so declines. */
function isApprovalWord(text: string): boolean {
  const word = text.replace(/^[\s"'`*_([]+/, "").replace(/[\s"'`*_)\].!,;:]+$/, "");
  return APPROVALS.has(word.toLowerCase());
}

function approves(value: unknown): boolean {
  return value === true || (typeof value === "string" && isApprovalWord(value));
}

function noted(approved: boolean, note: unknown): Decision {
  if (typeof note !== "string" || note.trim() === "") return { approved };
  return { approved, note: note.trim().slice(0, NOTE_CHARS) };
}

/**
 * Reads a decision from a person's reply: a text, `true` or `false`, or data with `answer`, `approved` or `decision`
 * (all that are present must approve) and optionally `note`. Longer text declines and becomes the note. Never throws;
 * what it cannot interpret declines.
 */
export function readDecision(answer: unknown): Decision {
  if (typeof answer === "string") return isApprovalWord(answer) ? { approved: true } : noted(false, answer);
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return { approved: answer === true };
  const reply = answer as { [key: string]: unknown };
  const named = ["answer", "approved", "decision"].filter((key) => Object.hasOwn(reply, key));
  const approved = named.length > 0 && named.every((key) => approves(reply[key]));
  return noted(approved, Object.hasOwn(reply, "note") ? reply.note : undefined);
}
