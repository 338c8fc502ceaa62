/** Invalid values, and some valid ones. */
import type { Random } from "../random.ts";

/** Texts a parser, a store or a terminal may stumble over. */
const STRANGE_TEXTS: readonly string[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\u0001\u001b[31m",
  "\ud800",
  "x\udfffy",
  "\ud83d\ude00",
  "\u2028\u2029",
  "\ufeffbom",
  "\u202eevil",
  "e\u0301\u0301\u0301",
  "../../../etc/passwd",
  "..%2f..%2f",
  "'; DROP TABLE task; --",
  '" OR 1=1',
  "$" + "{jndi:ldap://x}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "%00",
  "%s%n%p",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "-0",
  "1e999",
  "\r\nX-Injected: yes",
  "id: 7\ndata: {}\n\n",
  "\u00e9\u6f22",
];

/** Numbers at the edges. */
const STRANGE_NUMBERS: readonly number[] = [
  0,
  -1,
  1,
  0.5,
  -0.5,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
];

/** A text of some kind: strange, long, or random. */
export function strangeText(random: Random): string {
  const kind = random.next();
  if (kind < 0.7) return random.pick(STRANGE_TEXTS);
  if (kind < 0.8) return random.pick(["x", "\u00e9", "\\", '"', "\u0000", "[", "\ud800"]).repeat(random.int(1, 5_000));
  return Array.from({ length: random.int(1, 40) }, () => String.fromCharCode(random.int(0, 0xffff))).join("");
}

/** Any JSON value, small on the whole. */
export function strangeValue(random: Random, depth = 0): unknown {
  const kind = random.int(0, depth > 3 ? 5 : 8);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(STRANGE_NUMBERS);
    case 3:
    case 4:
      return strangeText(random);
    case 5:
      return random.pick([[], {}, "", 0]);
    case 6:
      return Array.from({ length: random.int(0, 4) }, () => strangeValue(random, depth + 1));
    case 7:
      return nested(random.int(1, 80), random.chance(0.5));
    default:
      return Object.fromEntries(
        Array.from({ length: random.int(0, 4) }, () => [strangeText(random), strangeValue(random, depth + 1)]),
      );
  }
}

/** Arrays or objects inside each other, so many. */
export function nested(levels: number, arrays: boolean): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = arrays ? [value] : { a: value };
  return value;
}

/** Ids that are no task's. */
export function wrongId(random: Random): string {
  return random.pick([
    "00000000-0000-4000-8000-000000000000",
    "no-such-task",
    "undefined",
    "%2e%2e",
    "a".repeat(1_024),
    "\u6f22",
    `t-${random.int(0, 1e9)}`,
  ]);
}

type Container = { [key: string]: unknown };

/** Every member of a JSON value: the object or list that holds it, and its key there. */
function members(value: unknown, found: { holder: Container; key: string }[] = []): typeof found {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push({ holder: value as Container, key });
    members((value as Container)[key], found);
  }
  return found;
}

/** A copy of a request's params with one to three invalid members. */
export function spoiled(random: Random, params: unknown): unknown {
  const copy = structuredClone(params);
  for (let i = random.int(1, 3); i > 0; i--) {
    const all = members(copy);
    if (all.length === 0) return strangeValue(random);
    const { holder, key } = random.pick(all);
    spoil(random, holder, key);
  }
  return copy;
}

function spoil(random: Random, holder: Container, key: string): void {
  const value = holder[key];
  switch (random.int(0, 6)) {
    case 0:
      delete holder[key];
      return;
    case 1:
      holder[key] = null;
      return;
    case 2:
      holder[strangeText(random)] = value;
      return;
    case 3:
      holder[key] = [value, value];
      return;
    case 4:
      delete holder[key];
      holder[random.chance(0.5) ? key.toUpperCase() : key.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)] = value;
      return;
    default:
      holder[key] = strangeValue(random);
  }
}

/** A JSON text with something wrong in the text itself. */
export function spoiledText(random: Random, text: string): string {
  const at = random.int(0, text.length);
  switch (random.int(0, 8)) {
    case 8:
      return text.replace(/"(?:metadata|message|parts|params|id|text)"/, '"__proto__"');
    case 0:
      return text.slice(0, at);
    case 1:
      return `${text.slice(0, at)}${random.pick(["\u0000", ",", "}", "]", '"', "\\", "/*x*/", "\ufeff", "NaN"])}${text.slice(at)}`;
    case 2:
      return text + random.pick(["x", "{}", "\u0000", ",", "\n\n[]"]);
    case 3:
      return text.replaceAll('"', "'");
    case 4:
      return text.replace("{", `{${text.slice(1, 40).split(",")[0] ?? ""},`);
    case 5:
      return text.slice(0, at) + text.slice(at + random.int(1, 5));
    case 6:
      return random.pick(["", "null", "[]", "{}", "7", '""', "true", "<html>", "a=b&c=d", "\ufeff{}", "{".repeat(200)]);
    default:
      return `${"[".repeat(random.int(60, 3_000))}${text}`;
  }
}
