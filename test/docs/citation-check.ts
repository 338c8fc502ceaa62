import type { Violation } from "../architecture/violation.ts";

/** A file's text under its path from the repository's root. */
export type Texts = Iterable<readonly [file: string, text: string]>;

/** Looks like an id and is none. */
const notIds: ReadonlySet<string> = new Set(["V8"]);

/** Comments and quoted texts: where code cites. */
const comments = /\/\/.*|\/\*.*|^\s*\*.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`?/g;
const id = /(?<![\w\-#\\%./:$+])([A-Z]{1,2}\d{1,2})(?![\w-]|[.:%]\w|::)/g;
const outside = /\b[Dd]ocument [123]\b|\b[Rr]ulings?\b|\b(?:engine|house|hot-path)\.md\b|\.\.\/shared\b/;

function isSpecification(file: string): boolean {
  return file.startsWith("docs/specification/");
}

function specifiedIds(files: readonly (readonly [file: string, text: string])[]): ReadonlySet<string> {
  const pages = files.filter(([file]) => isSpecification(file));
  return new Set(
    pages.flatMap(([, text]) => Array.from(text.matchAll(/^\| ([A-Z]{1,2}\d+) \|/gm), ([, name = ""]) => name)),
  );
}

/**
 * Documents cite only ids that have a row in `docs/specification`, and nothing cites a text that the repository does not
 * have. What code cites is `test/architecture/cited-id-rule.ts`. What A2A asks has ids of its own (`R10-…`).
 */
export function citationCheck(texts: Texts): readonly Violation[] {
  const files = [...texts];
  const known = specifiedIds(files);
  return files.flatMap(([file, text]) => {
    const isCode = /\.(tsx?|mts|mjs)$/.test(file);
    if ((!isCode && !file.endsWith(".md")) || isSpecification(file)) return [];
    return text.split("\n").flatMap((content, index) => {
      const line = index + 1;
      const names = isCode ? [] : Array.from(content.matchAll(id), ([, name = ""]) => name);
      const unknown = [...new Set(names)].filter((name) => !known.has(name) && !notIds.has(name));
      const parts = isCode ? (content.match(comments) ?? []) : [content];
      return [
        ...unknown.map((name) => ({ file, line, message: `cites ${name}, which has no row in docs/specification` })),
        ...(parts.some((part) => outside.test(part))
          ? [{ file, line, message: "cites a text that is not in the repository" }]
          : []),
      ];
    });
  });
}
