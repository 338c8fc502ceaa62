/** The spellings under which a known secret may appear in a text. */
import { Buffer } from "node:buffer";

/** Shorter values are not looked for: they would match by chance. */
export const MIN_SECRET_CHARS = 6;

/**
 * Base64 of `bytes` wherever they stand in something encoded: three alignments to the groups of three bytes, each cut
 * down to the characters that do not depend on the neighbours.
 */
function base64Cores(bytes: Buffer): string[] {
  const cores: string[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(from, to);
    cores.push(core, core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return cores;
}

function percentEncoded(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [encoded, strict, strict.replaceAll("%20", "+")];
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Every form of `secret` to look for, the secret itself first; empty when it is too short to be looked for. */
export function secretForms(secret: string): string[] {
  const whole = secret.toWellFormed();
  const trimmed = whole.trim();
  // A row of asterisks is what a masked secret looks like.
  if (trimmed.length < MIN_SECRET_CHARS || /^\*+$/.test(trimmed)) return [];
  const bytes = Buffer.from(trimmed);
  const hex = bytes.toString("hex");
  const escaped = jsonEscaped(trimmed);
  return [
    ...new Set([
      trimmed,
      secret.trim(),
      escaped,
      jsonEscaped(escaped),
      ...percentEncoded(trimmed),
      ...base64Cores(bytes),
      hex,
      hex.toUpperCase(),
    ]),
  ].filter((form) => form.length >= MIN_SECRET_CHARS);
}

/** The fewest characters a secret has that is looked for at all. */
const MIN_SHORT_CHARS = 3;

/** Matches secrets too short for `secretForms` as tokens of their own; undefined: there are none. */
export function shortSecrets(secrets: readonly string[]): RegExp | undefined {
  const short = secrets
    .map((secret) => secret.toWellFormed().trim())
    .filter(({ length }) => length >= MIN_SHORT_CHARS && length < MIN_SECRET_CHARS)
    .filter((secret) => !/^\*+$/.test(secret));
  if (short.length === 0) return undefined;
  const any = [...new Set(short)].map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])`, "gu");
}
