import * as v from "valibot";

/**
 * An object of the protocol whose fields may be named in camelCase or, as protobuf's JSON also allows, in snake_case
 * (A19). Where both are there, camelCase counts. Names inside free-form data stay as they are.
 */
export function eitherCase<const Entries extends v.ObjectEntries>(entries: Entries) {
  const aliases = Object.keys(entries).flatMap((field) => {
    const snake = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return snake === field ? [] : [{ field, snake }];
  });
  function inCamelCase(input: unknown): unknown {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const given = input as Record<string, unknown>;
    const renamed = aliases.filter(({ field, snake }) => snake in given && !(field in given));
    if (renamed.length === 0) return input;
    return { ...given, ...Object.fromEntries(renamed.map(({ field, snake }) => [field, given[snake]])) };
  }
  return v.pipe(v.unknown(), v.transform(inCamelCase), v.object(entries));
}
