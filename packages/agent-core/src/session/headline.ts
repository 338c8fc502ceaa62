/** Characters of a title by a model. */
const MAX_CHARS = 80;
/** Characters of an answer that are looked at. */
const READ_CHARS = 1_000;

const QUOTES = "\"'`´“”„‟‘’‚‛«»‹›「」『』*_";
/** Quotes and marks of Markdown around a text, and the full stop behind it. */
const AROUND = new RegExp(`^[\\s${QUOTES}#]+|[\\s${QUOTES}.。]+$`, "gu");
/** Two underscores inside of a word belong to a name, such as a tool's. */
const EMPHASIS = /\*\*|(?<![\p{L}\p{N}])__|__(?![\p{L}\p{N}])|`/gu;
const LABEL = /^(?:title|titel|titre|título)\s*[:：]/i;
/** A joiner is part of how a word or a picture is written where it stands inside of one. */
const JOINER =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/u;
/** Controls, marks that turn the direction of text, and characters without a width. */
const UNSEEN = new RegExp(`(?!${JOINER.source})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cs}]`, "gu");
/** How models begin when they will not name a conversation. */
const REFUSAL =
  /^(?:(?:i['’]m|i am|we['’]re) (?:sorry|unable|not able)|sorry, |i (?:can['’]?t|cannot|can not|won['’]t|will not) (?:help|assist|provide|create|generate|comply|fulfill|name|do|answer|discuss)|i apologi[sz]e|as an ai|es tut mir leid|tut mir leid|leider kann ich|je suis désolée?|désolée?, |lo siento|mi dispiace|desculpe|sinto muito)/i;

/** A model's answer as a title: its first line with text, plain and bounded. Undefined: it holds none, or refuses to give one. */
export function headlineOf(answer: string): string | undefined {
  const lines = answer.slice(0, READ_CHARS).split(/[\r\n\u2028\u2029]/);
  for (const line of lines) {
    const text = line
      .replace(UNSEEN, " ")
      .replace(AROUND, "")
      .replace(LABEL, "")
      .replace(AROUND, "")
      .replaceAll(EMPHASIS, "")
      .replaceAll(/\s+/g, " ");
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    return REFUSAL.test(text) ? undefined : cut(text);
  }
  return undefined;
}

function cut(text: string): string {
  const signs = [...text];
  if (signs.length <= MAX_CHARS) return text;
  const start = signs.slice(0, MAX_CHARS - 1).join("");
  const space = start.lastIndexOf(" ");
  return `${space > MAX_CHARS / 2 ? start.slice(0, space) : start}…`;
}
