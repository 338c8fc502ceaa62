import { isSecretName } from "../../redaction/index.ts";
import type { ServerTarget } from "../server-target.ts";
import { type PlaceholderSource, placeholderValue, textsOf } from "./resolve-target.ts";
import { hasPlaceholder, templateParts } from "./template.ts";

/** Values that many programs are configured with. As secrets they would take ordinary words out of every text. */
const PLAIN =
  /^(?:true|false|yes|no|on|off|null|none|auto|default|trace|debug|info|warn(?:ing)?|error|silent|quiet|verbose|development|production|staging|test(?:ing)?|local|localhost|stdio|http|https|bearer|basic|digest|token|apikey|json|text|en|utf-?8|[+-]?\d{1,5}(?:\.\d{1,5})?)$/i;
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

/** `--api-key=…`, `--api-key` whose value is the next argument, or `API_KEY=…` as `docker run -e` takes it. */
const OPTION = /^(?:-{1,2})?([A-Za-z][A-Za-z0-9_-]*)(?:=(.*))?$/s;
/** A parameter of a query. */
const PARAMETER = /[?&]([^=&#]+)=([^&#]*)/g;
/** What nobody types: an address has keys under any name. */
const RANDOM = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_.~+/=-]{20,}$/;

/** Secrets that are written out in arguments, by the name they are under. */
function secretsOfArgs(args: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return args.flatMap((arg, index) => {
    const [, name = "", value] = OPTION.exec(arg) ?? [];
    if (!isSecretName(name)) return [];
    const next = args[index + 1];
    const found = value ?? (arg.startsWith("-") && next?.startsWith("-") === false ? next : "");
    return hasPlaceholder(found) ? [] : [[name, found] as const];
  });
}

/** The same of an address's query; its text may hold placeholders, so it need not be a URL. */
function secretsOfQuery(url: string): readonly (readonly [name: string, value: string])[] {
  return [...url.matchAll(PARAMETER)].flatMap(([, name = "", value = ""]) => {
    if (hasPlaceholder(value) || !(isSecretName(name) || RANDOM.test(value))) return [];
    return [...new URLSearchParams(`v=${value}`).values(), value].map((text) => [name, text] as const);
  });
}

/**
 * The secrets of one server, for the redactor (S5): what the overlay has for it, what its placeholders read from the
 * environment, values that are written out in its `env` and `headers`, and what is a secret by its name in `args` and in
 * the query of `url`. Ordinary words such as `true` are left out.
 */
export function secretTextsOf(target: ServerTarget | undefined, source: PlaceholderSource): readonly string[] {
  const found: (readonly [name: string, value: string])[] = Object.entries(source.secrets);
  if (target !== undefined) {
    for (const { text } of textsOf(target))
      for (const part of templateParts(text))
        if (part.kind === "placeholder") found.push([part.name, placeholderValue(part.name, source) ?? ""]);
    found.push(...(target.transport === "stdio" ? secretsOfArgs(target.args) : secretsOfQuery(target.url)));
    const literal = Object.entries(target.transport === "stdio" ? target.env : target.headers);
    for (const [name, text] of literal) {
      if (!hasPlaceholder(text)) found.push([name, text]);
      else for (const part of templateParts(text)) if (part.kind === "text") found.push([name, part.text]);
    }
  }
  return [...new Set(found.filter(([name, value]) => !isPlain(name, value)).flatMap(([, value]) => forms(value)))];
}
