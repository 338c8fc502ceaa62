/** What a server shows, without secrets: what it was given to sign in with must not be stored, or read by the model (S5). */
import { REDACTED } from "../../redaction/index.ts";
import type { Definition } from "./definition.ts";
import { withoutInvisible } from "./invisible-text.ts";
import { type ReadDefinitions, readDefinitions } from "./read-definitions.ts";

/** What a server listed within bounds and without secrets: `known` takes those out of a text. Never throws. */
export function readShown(
  listed: Parameters<typeof readDefinitions>[0],
  known: (text: string) => string,
): ReadDefinitions {
  const redact = (text: string): string => redactAsRead(text, known);
  const read = readDefinitions(listed, redact);
  const { definitions, warnings } = redactDefinitions(read.definitions, redact);
  return { definitions, warnings: [...read.warnings.map(redact), ...warnings] };
}

/** People and models read a text without its invisible characters, which could stand between those of a secret. */
function redactAsRead(text: string, known: (text: string) => string): string {
  const masked = known(text);
  const read = withoutInvisible(masked);
  if (read === masked) return masked;
  const maskedAsRead = known(read);
  return maskedAsRead === read ? masked : maskedAsRead;
}

/**
 * Takes secrets out of the texts of definitions; one without any stays the same object. One whose name, or a key of whose
 * schema, holds a secret is left out: under another name it could not be called.
 */
function redactDefinitions(definitions: readonly Definition[], redact: (text: string) => string): ReadDefinitions {
  let leftOut = 0;
  const kept = definitions.flatMap((definition): readonly Definition[] => {
    const texts: string[] = [];
    collectTexts(definition, texts);
    // One look at all of them: nearly no definition holds a secret.
    const all = texts.join("\n");
    if (redact(all) === all) return [definition];
    const copy = redactTexts(definition, redact);
    const { kind, name } = definition;
    if (copy !== undefined && !repeatsSecret(name, redact))
      return [{ ...(copy as Definition), kind, name } as Definition];
    leftOut++;
    return [];
  });
  const warnings = leftOut === 0 ? [] : [`${leftOut} of its definitions are left out: a name in them repeats a secret`];
  return { definitions: kept, warnings };
}

/** What somebody chose for a password may be a word of the trade: `postgres` in the name of a tool gives nothing away. */
const WORD = /^[a-z]{1,12}$/i;

/** Whether a name, which cannot be another one, holds a secret. */
function repeatsSecret(name: string, redact: (text: string) => string): boolean {
  const masked = redact(name);
  const at = masked.indexOf(REDACTED);
  if (masked === name || at === -1) return masked !== name;
  const after = masked.length - at - REDACTED.length;
  return !WORD.test(name.slice(at, name.length - after));
}

/** Texts and keys; schemas are bounded in depth before. */
function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "number") into.push(String(value));
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) into.push(key);
      collectTexts(member, into);
    }
}

/** A copy without secrets; undefined: a key holds one. */
function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redact(String(value)) === String(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, redactTexts(member, redact)] as const);
  const isHidden = ([key, member]: readonly [string, unknown]): boolean =>
    repeatsSecret(key, redact) || (member === undefined && (value as Record<string, unknown>)[key] !== undefined);
  if (members.some(isHidden)) return undefined;
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
