/** Texts with placeholders (M3): `${NAME}`, and `${NAME:-default}` where the default stands for a missing or blank value. */

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})(?::-([^}]*))?\}/g;

/** A piece of a text with placeholders. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "placeholder"; readonly name: string; readonly fallback: string | undefined };

/** The pieces of a text, in order. What only resembles a placeholder is text. */
export function templateParts(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const found of text.matchAll(PLACEHOLDER)) {
    if (found.index > from) parts.push({ kind: "text", text: text.slice(from, found.index) });
    parts.push({ kind: "placeholder", name: found[1] ?? "", fallback: found[2] });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** Whether a text has a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return templateParts(text).some(({ kind }) => kind === "placeholder");
}

/** Writes pieces as the text that they are read from. */
export function templateText(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : placeholderText(part))).join("");
}

function placeholderText({ name, fallback }: { readonly name: string; readonly fallback: string | undefined }): string {
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

/** A text with its placeholders replaced, and the names that neither have a value nor a default. */
export interface FilledText {
  readonly text: string;
  readonly missing: readonly string[];
}

/** Replaces the placeholders. What a value holds is not read again. */
export function fillTemplate(text: string, readValue: (name: string) => string | undefined): FilledText {
  const missing: string[] = [];
  const filled = templateParts(text).map((part) => {
    if (part.kind === "text") return part.text;
    const value = readValue(part.name);
    if (value !== undefined && value.trim() !== "") return value;
    if (part.fallback === undefined) missing.push(part.name);
    return part.fallback ?? "";
  });
  return { text: filled.join(""), missing };
}
