import { chainRoot, isNode, type ParsedFile, type SyntaxNode, walk } from "./parsed-file.ts";
import { isGeneratedOrMigration } from "./source-path.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Violation } from "./violation.ts";

/** An id as a row of `docs/specification` begins with it. */
const row = /^\| ([A-Z]{1,2}\d{1,2}) \|/gm;
/** An id in a comment or a title. */
const citation = /(?<![\w./-])[A-Z]{1,2}\d{1,2}(?![\w-])/g;
/** Names that look like ids: the JavaScript engine. */
const names: ReadonlySet<string> = new Set(["V8"]);

/** The page of each id, from the tables of the specification. */
function specifiedIds(tree: SourceTree): ReadonlyMap<string, readonly string[]> {
  const pages = new Map<string, readonly string[]>();
  for (const [file, text] of tree) {
    if (!/^docs\/specification\/.+\.md$/.test(file)) continue;
    for (const [, id = ""] of text.matchAll(row)) pages.set(id, [...(pages.get(id) ?? []), file]);
  }
  return pages;
}

function titleOf(node: SyntaxNode): string | undefined {
  if (node.type !== "CallExpression" || !/^(test|it|describe)$/.test(chainRoot(node.callee) ?? "")) return undefined;
  const [title] = node.arguments as readonly unknown[];
  return isNode(title) && typeof title.value === "string" ? title.value : undefined;
}

function textsOf(file: ParsedFile): readonly string[] {
  const texts = [...file.comments];
  walk(file.program, (node) => {
    const title = titleOf(node);
    if (title !== undefined) texts.push(title);
  });
  return texts;
}

/**
 * Rule 7: an id is in one row of `docs/specification`, and code cites, in comments and in titles of tests, only ids
 * that are there.
 */
export function citedIdRule(tree: SourceTree, files: readonly ParsedFile[]): readonly Violation[] {
  const ids = specifiedIds(tree);
  const twice = [...ids]
    .filter(([, pages]) => pages.length > 1)
    .map(([id, [file = "", ...others]]) => ({ file, message: `${id} is here and in ${others.join(", ")}` }));
  const unknown = files
    .filter(({ path }) => !isGeneratedOrMigration(path) && !path.startsWith("test/architecture/"))
    .flatMap((file) => {
      const cited = new Set(textsOf(file).flatMap((text) => text.match(citation) ?? []));
      return [...cited]
        .filter((id) => !ids.has(id) && !names.has(id))
        .map((id) => ({ file: file.path, message: `cites ${id}, which has no row in docs/specification` }));
    });
  return [...twice, ...unknown];
}
