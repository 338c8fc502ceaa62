import path from "node:path";
import { identifierName, isNode, type ParsedFile, type SyntaxNode } from "./parsed-file.ts";
import type { SourceTree } from "./source-tree.ts";

interface Manifest {
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** An entry point of a package that is published. */
export interface EntryPoint {
  /** The package's folder. */
  readonly folder: string;
  /** As in `exports` of the manifest: `.`, `./testing`. */
  readonly name: string;
  /** The source file behind it. */
  readonly file: string;
}

/** The entry points of every published package, in the order of its manifest. */
export function entryPoints(tree: SourceTree): readonly EntryPoint[] {
  return [...tree].flatMap(([file, text]) => {
    if (!/^(packages|apps)\/[^/]+\/package\.json$/.test(file)) return [];
    const { private: isPrivate, exports = {} } = JSON.parse(text) as Manifest;
    if (isPrivate) return [];
    const folder = path.posix.dirname(file);
    return Object.entries(exports).flatMap(([name, { "@agent-service/source": source }]) =>
      source === undefined ? [] : [{ folder, name, file: path.posix.join(folder, source) }],
    );
  });
}

/** The statements of a file. */
export function bodyOf({ program }: ParsedFile): readonly SyntaxNode[] {
  return program.body as readonly SyntaxNode[];
}

/** The names that a declaration declares. */
export function declaredNamesOf(declaration: SyntaxNode): readonly string[] {
  const holders =
    declaration.type === "VariableDeclaration" ? (declaration.declarations as readonly SyntaxNode[]) : [declaration];
  return holders.flatMap(({ id }) => identifierName(id) ?? []);
}

/** The file that a statement imports from or re-exports; undefined for a package. */
export function sourceOf(statement: SyntaxNode, file: ParsedFile): string | undefined {
  const specifier = isNode(statement.source) ? (statement.source.value as string) : undefined;
  return specifier?.startsWith(".") ? path.posix.join(path.posix.dirname(file.path), specifier) : undefined;
}

/** The name of a specifier. */
export function exportedName(node: unknown): string {
  return identifierName(node) ?? "";
}

/** Every name a file exports, through `export *` too; a name that is exported twice is listed twice. */
export function exportedNames(file: ParsedFile | undefined, files: ReadonlyMap<string, ParsedFile>): readonly string[] {
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
