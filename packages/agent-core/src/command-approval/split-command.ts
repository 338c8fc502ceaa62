/**
 * Splits the text of a command without a shell, where no shell is needed. What a shell would read in another way is not
 * split at all, so that the tokens shown, matched and executed are the same (F10, F11).
 */

/** Characters with a meaning to a shell, anywhere, quoted or not. */
const SHELL_SIGNS = /[;&|$()<>*?[\]{}~#!`\\]/;
/** Invisible characters, and those that look like a space and are none. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** `NAME=value` before a program is a setting to a shell. */
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** Most characters of a command that can be approved unseen. */
const MAX_CHARS = 4_096;

/** Whether `text` could be read in two ways by whoever sees it. */
export function isPlain(text: string): boolean {
  return text.length <= MAX_CHARS && !SHELL_SIGNS.test(text) && !UNSEEN.test(text);
}

/** The tokens between the spaces of `text`, by the quotes of POSIX; undefined where a quote is open. */
export function splitByQuotes(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  let token: string | undefined;
  let quote: string | undefined;
  for (const char of text) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else token += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      token ??= "";
    } else if (char === " ") {
      if (token !== undefined) tokens.push(token);
      token = undefined;
    } else {
      token = (token ?? "") + char;
    }
  }
  if (quote !== undefined) return undefined;
  return token === undefined ? tokens : [...tokens, token];
}

/** The program and arguments of a command that needs no shell; undefined: it needs one. */
export function splitCommand(text: string): readonly [string, ...string[]] | undefined {
  // Line breaks separate commands; other invisible characters mean to a shell what they mean to us.
  if (SHELL_SIGNS.test(text) || /[\r\n\0]/.test(text)) return undefined;
  const [program, ...args] = splitByQuotes(text.replaceAll("\t", " ")) ?? [];
  if (program === undefined || program === "" || ASSIGNMENT.test(program)) return undefined;
  return [program, ...args];
}
