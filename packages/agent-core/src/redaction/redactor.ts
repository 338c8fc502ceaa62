/**
 * The one redactor that sits on every sink: log lines, error bodies, events, snapshots, telemetry, audit (S5).
 *
 * Invariants (the tests cite them)
 *  1. No known secret of six characters or more is in any output, plain or JSON-escaped, percent-, base64- or
 *     hex-encoded, whatever surrounds it.
 *     A shorter one of three characters or more is in no output of `text` as a token of its own.
 *  2. Nothing throws, whatever the text, the value or the source of secrets does.
 *  3. Time and output are bounded by the input's length, and the output by `maxChars` and `MAX_VALUES`.
 */
import { maskKeyShapes } from "./key-shapes.ts";
import { redactValue } from "./redact-value.ts";
import { secretForms, shortSecrets } from "./secret-forms.ts";
import { createTextMatcher, type TextMatcher } from "./text-matcher.ts";

/** Replaces a secret. Shorter than any secret that is looked for. */
export const REDACTED = "***";

/** Replacing may join two ends into another secret; after this many rounds the whole text is withheld instead. */
const MAX_ROUNDS = 4;

/** Where a redactor gets its secrets, and its bounds. */
export interface RedactorOptions {
  /**
   * The current secrets; called at every use, so a secret set or rotated counts at once. Values under six characters
   * would match by chance: they are masked only as tokens of their own, and not in content; under three not at all.
   */
  readonly secrets?: () => Iterable<string>;
  /** Most characters of one text; a longer one ends in a note of its length. Default 1,048,576. */
  readonly maxChars?: number;
}

/** Takes secrets out. Its functions are safe to pass around unbound. */
export interface Redactor {
  /** `text` without secrets. A text that holds none is returned unchanged. */
  text(text: string): string;
  /**
   * `text` without the secrets known now, whatever its length; what only looks like a secret stays. For content, such as
   * a file's text, in which a pattern would find too much.
   */
  known(text: string): string;
  /**
   * A copy of `value` as plain JSON without secrets: texts as `text`, and every value under a secret name
   * (`isSecretName`) masked whole. Errors become `{name, message, stack, code?, cause?}`.
   */
  value(value: unknown): unknown;
}

/** Finds the current secrets. */
interface Matcher extends TextMatcher {
  /** Short ones, as tokens of their own; undefined: there are none. */
  readonly short: RegExp | undefined;
}

/** A matcher for the current secrets, rebuilt when they change. */
function liveMatcher(secrets: () => Iterable<string>): () => Matcher {
  let known: string[] = [];
  let matcher: Matcher = { ...createTextMatcher([]), short: undefined };
  /** The secrets that are not those known, undefined if they are; copied only then, for this runs for every text. */
  const changed = (): string[] | undefined => {
    let count = 0;
    let same = true;
    for (const secret of secrets()) {
      if (typeof secret !== "string") continue;
      if (secret !== known[count++]) same = false;
    }
    if (same && count === known.length) return undefined;
    return [...secrets()].filter((secret) => typeof secret === "string");
  };
  return () => {
    let now: string[] | undefined;
    try {
      now = changed();
    } catch {
      // A source that fails must not lose the secrets it returned before.
    }
    if (now === undefined) return matcher;
    known = now;
    matcher = { ...createTextMatcher([...new Set(now.flatMap(secretForms))]), short: shortSecrets(now) };
    return matcher;
  };
}

function maskKnown(text: string, matcher: TextMatcher): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const spans = matcher.find(current);
    if (spans.length === 0) return current;
    let masked = "";
    let done = 0;
    for (const { start, end } of spans) {
      masked += current.slice(done, start) + REDACTED;
      done = end;
    }
    current = masked + current.slice(done);
  }
  return REDACTED;
}

/** Without `secrets` it recognises keys by their shape and names only. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const maxChars = options.maxChars ?? 1024 * 1024;
  const currentMatcher = liveMatcher(options.secrets ?? (() => []));

  function text(input: string): string {
    const matcher = currentMatcher();
    if (input.length <= maxChars) return maskAll(input, matcher);
    // The last characters may be the beginning of a secret whose end was cut off, so they are not shown either.
    const masked = maskAll(input.slice(0, maxChars + matcher.longest), matcher);
    const shown = masked.slice(0, Math.max(0, Math.min(maxChars, masked.length - matcher.longest)));
    return maskKnown(`${shown}[… cut: the text had ${input.length} characters]`, matcher);
  }

  return {
    text,
    known: (content) => maskKnown(content, currentMatcher()),
    value: (value) => redactValue(value, text, REDACTED),
  };
}

/** Known secrets first and last: masking a shape may join two ends into one. */
function maskAll(input: string, matcher: Matcher): string {
  const whole = matcher.short === undefined ? input : input.replace(matcher.short, REDACTED);
  const known = maskKnown(whole, matcher);
  let shaped: string;
  try {
    shaped = maskKeyShapes(known, REDACTED);
  } catch {
    // A pattern that runs out of stack on a hostile text: withheld rather than shown unchecked.
    return REDACTED;
  }
  return shaped === known ? shaped : maskKnown(shaped, matcher);
}
