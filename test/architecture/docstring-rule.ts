import { bodyOf, declaredNamesOf, entryPoints, exportedName, exportedNames, sourceOf } from "./entry-points.ts";
import { isNode, type ParsedFile, type SyntaxNode } from "./parsed-file.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Violation } from "./violation.ts";

/** Finds where `name` is declared, through re-exports and imports; undefined when it comes from outside the tree. */
function declarationOf(
  name: string,
  file: ParsedFile | undefined,
  files: ReadonlyMap<string, ParsedFile>,
): { readonly file: ParsedFile; readonly statement: SyntaxNode } | undefined {
  if (!file) return undefined;
  for (const statement of bodyOf(file)) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (declaredNamesOf(declaration).includes(name)) return { file, statement };
    const specifiers = Array.isArray(statement.specifiers) ? (statement.specifiers as readonly SyntaxNode[]) : [];
    for (const { local, exported, imported } of specifiers) {
      const visible = statement.type === "ImportDeclaration" ? local : exported;
      if (exportedName(visible) !== name) continue;
      const original = exportedName(statement.type === "ImportDeclaration" ? imported : local);
      const source = sourceOf(statement, file);
      if (source !== undefined) return declarationOf(original, files.get(source), files);
      if (!isNode(statement.source) && original !== name) return declarationOf(original, file, files);
    }
  }
  for (const statement of bodyOf(file)) {
    const source = statement.type === "ExportAllDeclaration" ? sourceOf(statement, file) : undefined;
    const found = source === undefined ? undefined : declarationOf(name, files.get(source), files);
    if (found) return found;
  }
  return undefined;
}

/** Line comments (a lint exception, say) may be between the docstring and what it describes. */
function hasDocstring({ text }: ParsedFile, statement: SyntaxNode): boolean {
  const before = text
    .slice(0, statement.start)
    .replace(/(?:^|\n)\s*(?:\/\/[^\n]*\s*)+$/, "")
    .trimEnd();
  const start = before.lastIndexOf("/*");
  return before.endsWith("*/") && before.startsWith("/**", start);
}

/** Rule 6, the part a machine can see: everything a published entry point offers has a docstring where it is declared. */
export function docstringRule(tree: SourceTree, parsed: readonly ParsedFile[]): readonly Violation[] {
  const files = new Map(parsed.map((file) => [file.path, file]));
  const seen = new Map<string, Violation>();
  for (const { file: entry } of entryPoints(tree)) {
    for (const name of exportedNames(files.get(entry), files)) {
      const found = declarationOf(name, files.get(entry), files);
      if (!found || hasDocstring(found.file, found.statement)) continue;
      const line = found.file.lineAt(found.statement.start);
      const message = `${name} is public and has no docstring`;
      seen.set(`${found.file.path}:${line}:${name}`, { file: found.file.path, line, message });
    }
  }
  return [...seen.values()];
}
