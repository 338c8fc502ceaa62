import { isSecretName } from "../../redaction/index.ts";
import type { ServerTarget } from "../server-target.ts";
import { type PlaceholderSource, placeholderValue, textsOf } from "./resolve-target.ts";
import { hasPlaceholder, templateParts } from "./template.ts";

/** Values that many programs are configured with. As secrets they would take ordinary words out of every text. */
const PLAIN =
  /^(?:true|false|yes|no|on|off|null|none|auto|default|trace|debug|info|warn(?:ing)?|error|silent|quiet|verbose|development|production|staging|test(?:ing)?|local|localhost|stdio|http|https|json|text|en|utf-?8|[+-]?\d{1,5}(?:\.\d{1,5})?)$/i;
/** Shorter values that are not under a secret's name are no secrets. */
const MIN_CHARS = 6;

function isPlain(name: string, value: string): boolean {
  const text = value.trim();
  if (text === "" || PLAIN.test(text)) return true;
  return !isSecretName(name) && text.length < MIN_CHARS;
}

/** What of a value has to be known: itself, the credential behind a scheme, and the password of a basic credential. */
function forms(value: string): readonly string[] {
  const text = value.trim();
  const [, scheme, credential] = /^([A-Za-z]{4,10})\s+(\S.*)$/s.exec(text) ?? [];
  if (scheme === undefined || credential === undefined) return [text];
  if (scheme.toLowerCase() !== "basic") return [text, credential];
  const decoded = Buffer.from(credential, "base64").toString();
  const password = decoded.slice(decoded.indexOf(":") + 1);
  return [text, credential, ...(decoded.includes(":") && password.length >= MIN_CHARS ? [password] : [])];
}

/**
 * The secrets of one server, for the redactor (S5): what the overlay has for it, what its placeholders read from the
 * environment, and values that are written out in its `env` and `headers`. Ordinary words such as `true` are left out.
 */
export function secretTextsOf(target: ServerTarget | undefined, source: PlaceholderSource): readonly string[] {
  const found: (readonly [name: string, value: string])[] = Object.entries(source.secrets);
  if (target !== undefined) {
    for (const { text } of textsOf(target))
      for (const part of templateParts(text))
        if (part.kind === "placeholder") found.push([part.name, placeholderValue(part.name, source) ?? ""]);
    const literal = Object.entries(target.transport === "stdio" ? target.env : target.headers);
    for (const [name, text] of literal) {
      if (!hasPlaceholder(text)) found.push([name, text]);
      else for (const part of templateParts(text)) if (part.kind === "text") found.push([name, part.text]);
    }
  }
  return [...new Set(found.filter(([name, value]) => !isPlain(name, value)).flatMap(([, value]) => forms(value)))];
}
