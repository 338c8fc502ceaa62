import path from "node:path";
import { identifierName, isNode, type ParsedFile, type SyntaxNode } from "./parsed-file.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Violation } from "./violation.ts";

interface Manifest {
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The source files behind the entry points of every published package. */
function entryFiles(tree: SourceTree): readonly string[] {
  return [...tree].flatMap(([file, text]) => {
    if (!/^(packages|apps)\/[^/]+\/package\.json$/.test(file)) return [];
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.private) return [];
    const sources = Object.values(manifest.exports ?? {}).map((entry) => entry["@agent-service/source"]);
    return sources.flatMap((source) =>
      source === undefined ? [] : [path.posix.join(path.posix.dirname(file), source)],
    );
  });
}

function bodyOf({ program }: ParsedFile): readonly SyntaxNode[] {
  return program.body as readonly SyntaxNode[];
}

function declaredNamesOf(declaration: SyntaxNode): readonly string[] {
  const holders =
    declaration.type === "VariableDeclaration" ? (declaration.declarations as readonly SyntaxNode[]) : [declaration];
  return holders.flatMap(({ id }) => identifierName(id) ?? []);
}

function sourceOf(statement: SyntaxNode, file: ParsedFile): string | undefined {
  const specifier = isNode(statement.source) ? (statement.source.value as string) : undefined;
  return specifier?.startsWith(".") ? path.posix.join(path.posix.dirname(file.path), specifier) : undefined;
}

function exportedName(node: unknown): string {
  return identifierName(node) ?? "";
}

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

/** Every name a file offers, `export *` followed. */
function exportedNames(file: ParsedFile | undefined, files: ReadonlyMap<string, ParsedFile>): readonly string[] {
  if (!file) return [];
  return bodyOf(file).flatMap((statement) => {
    if (statement.type === "ExportAllDeclaration") {
      const source = sourceOf(statement, file);
      return source === undefined ? [] : exportedNames(files.get(source), files);
    }
    if (statement.type !== "ExportNamedDeclaration") return [];
    if (isNode(statement.declaration)) return declaredNamesOf(statement.declaration);
    return (statement.specifiers as readonly SyntaxNode[]).map(({ exported }) => exportedName(exported));
  });
}

/** Line comments (a lint exception, say) may stand between the docstring and what it describes. */
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
  for (const entry of entryFiles(tree)) {
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
