import { parseSync } from "oxc-parser";
import { isSourceFile } from "./source-path.ts";
import type { SourceTree } from "./source-tree.ts";

/** A syntax node of the ESTree dialect with TypeScript, read by property name: the rules need few of its fields. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** One module request in a source file, whatever its form. */
export interface ModuleRequest {
  /** The specifier as written, or undefined where a dynamic import computes it. */
  readonly specifier: string | undefined;
  /** True for `import type`, `export type … from` and `import("…").T`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** A parsed source file. `errors` is what the parser could not read. */
export interface ParsedFile {
  readonly path: string;
  readonly text: string;
  readonly program: SyntaxNode;
  readonly requests: readonly ModuleRequest[];
  /** The texts of its comments, without their marks. */
  readonly comments: readonly string[];
  readonly errors: readonly string[];
  /** The 1-based line of an offset. */
  lineAt(offset: number): number;
}

/** Narrows an unknown field to a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** The nodes directly below a node, in source order of its fields. */
export function childNodes(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}

/**
 * Calls `visit` with every node below and including `node`, parents first, with the chain of ancestors, which is that of
 * this call only: it changes as the walk goes on.
 */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void): void {
  const ancestors: SyntaxNode[] = [];
  const enter = (entered: SyntaxNode): void => {
    visit(entered, ancestors);
    ancestors.push(entered);
    // Without a list of the children for each of the millions of nodes: all rules walk all files.
    for (const field in entered) {
      const value = entered[field];
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) enter(child);
      } else if (isNode(value)) enter(value);
    }
    ancestors.pop();
  };
  enter(node);
}

/** The name of an identifier node; undefined for anything else. */
export function identifierName(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" ? (node.name as string) : undefined;
}

/** The name read by a non-computed member expression (`a.name`). */
export function propertyName(node: unknown): string | undefined {
  return isNode(node) && node.type === "MemberExpression" && !node.computed ? identifierName(node.property) : undefined;
}

/** The identifier at the left end of a member chain: `a` of `a.b[c].d`. */
export function chainRoot(node: unknown): string | undefined {
  let current = node;
  while (isNode(current) && (current.type === "MemberExpression" || current.type === "CallExpression")) {
    current = current.type === "CallExpression" ? current.callee : current.object;
  }
  return identifierName(current);
}

function literalText(node: unknown): string | undefined {
  return isNode(node) && node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function requestOf(node: SyntaxNode): Omit<ModuleRequest, "line"> | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return { specifier: literalText(node.source), typeOnly: node.importKind === "type" };
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return isNode(node.source)
        ? { specifier: literalText(node.source), typeOnly: node.exportKind === "type" }
        : undefined;
    case "ImportExpression":
      return { specifier: literalText(node.source), typeOnly: false };
    case "TSImportType":
      return { specifier: literalText(node.source), typeOnly: true };
    case "TSExternalModuleReference":
      return { specifier: literalText(node.expression), typeOnly: false };
    // `new URL("./worker.ts", import.meta.url)` loads a module as surely as an import does.
    case "NewExpression": {
      const [first, second] = node.arguments as readonly unknown[];
      const text = identifierName(node.callee) === "URL" ? literalText(first) : undefined;
      const fromHere = isNode(second) && second.type === "MemberExpression" && propertyName(second) === "url";
      return text !== undefined && fromHere && /\.[mc]?[jt]sx?$/.test(text)
        ? { specifier: text, typeOnly: false }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Parses one source file: TypeScript or JavaScript, with or without JSX, by its extension. */
export function parseFile(path: string, text: string): ParsedFile {
  const { program, errors, comments } = parseSync(path, text);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  const lineAt = (offset: number): number => {
    const next = lineStarts.findIndex((start) => start > offset);
    return next === -1 ? lineStarts.length : next;
  };
  const root = program as unknown as SyntaxNode;
  const requests: ModuleRequest[] = [];
  walk(root, (node) => {
    const request = requestOf(node);
    if (request) requests.push({ ...request, line: lineAt(node.start) });
  });
  return {
    path,
    text,
    program: root,
    requests,
    comments: comments.map(({ value }) => value),
    errors: errors.map((error) => error.message),
    lineAt,
  };
}

/** Every source file of the tree, parsed. */
export function parseTree(tree: SourceTree): readonly ParsedFile[] {
  return [...tree].filter(([path]) => isSourceFile(path)).map(([path, text]) => parseFile(path, text));
}
