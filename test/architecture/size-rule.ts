import { type LimitException, limits } from "./exceptions.ts";
import { identifierName, isNode, type ParsedFile, type SyntaxNode, walk } from "./parsed-file.ts";
import { isGeneratedOrMigration, isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

interface Size {
  /** The file, or for a folder its path. */
  readonly file: string;
  readonly of: LimitException["of"];
  readonly line?: number;
  readonly count: number;
  readonly limit: number;
  /** What to do about one that is too large. */
  readonly advice: string;
}

const functionTypes: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

/** A function's own name, or the name of the variable, property or method that holds it. */
function functionName(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  const holder = parent?.type === "VariableDeclarator" ? parent.id : parent?.key;
  return identifierName(node.id) ?? identifierName(holder) ?? "anonymous";
}

/** Lines of a source file. */
export function linesOf({ text }: ParsedFile): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function functionSizes(file: ParsedFile): readonly Size[] {
  const sizes: Size[] = [];
  walk(file.program, (node, ancestors) => {
    if (!functionTypes.has(node.type) || !isNode(node.body)) return;
    const line = file.lineAt(node.start);
    sizes.push({
      ...{ file: file.path, line, limit: limits.functionLines },
      of: `function ${functionName(node, ancestors.at(-1))}`,
      count: file.lineAt(node.end) - line + 1,
      advice: "move a part into a small file named after what it does",
    });
  });
  return sizes;
}

/** An index is a list of what its module offers. */
function isList({ path }: ParsedFile, lists: readonly string[]): boolean {
  return /\/index\.tsx?$/.test(path) || lists.includes(path);
}

function fileSizes(file: ParsedFile, lists: readonly string[]): readonly Size[] {
  const advice = "split it along a responsibility";
  const imports = new Set(file.requests.map(({ specifier }) => specifier)).size;
  const lines: Size = { file: file.path, of: "lines", count: linesOf(file), limit: limits.fileLines, advice };
  if (isList(file, lists)) return [lines];
  return [lines, { file: file.path, of: "imports", count: imports, limit: limits.imports, advice }];
}

function folderSizes(files: readonly ParsedFile[]): readonly Size[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (/^(packages|apps)\//.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const advice = "make folders of what belongs together";
  return [...counts].map(([file, count]) => ({ file, of: "files", count, limit: limits.folderFiles, advice }));
}

/**
 * Rule 4: a source file has at most 400 lines and 20 imports (lists aside), a function 80 lines with its inner functions
 * counted, a folder 30 files. Tests, migrations and generated files are exempt. An exception holds up to its ceiling; one
 * that is not needed any more is a violation too.
 */
export function sizeRule(
  files: readonly ParsedFile[],
  { exceptions, lists }: { readonly exceptions: readonly LimitException[]; readonly lists: readonly string[] },
): readonly Violation[] {
  const sources = files.filter(({ path }) => !isTestFile(path) && !isGeneratedOrMigration(path));
  const measured = [
    ...sources.flatMap((file) => [...fileSizes(file, lists), ...functionSizes(file)]),
    ...folderSizes(sources),
  ];
  const tooLarge = measured.filter(({ count, limit }) => count > limit);
  const exceptionOf = (size: Size) =>
    exceptions.find((exception) => exception.file === size.file && exception.of === size.of);
  const stale = exceptions
    .filter((exception) => !tooLarge.some((size) => exceptionOf(size) === exception))
    .map(({ file, of }) => ({ file, message: `the exception for its ${of} is no longer needed` }));
  const over = tooLarge.flatMap((size) => {
    const most = exceptionOf(size)?.ceiling ?? size.limit;
    if (size.count <= most) return [];
    const what = size.of.startsWith("function ")
      ? `${size.of} has ${size.count} lines`
      : `it has ${size.count} ${size.of}`;
    const at = size.line === undefined ? {} : { line: size.line };
    return [{ file: size.file, ...at, message: `${what}, at most ${most}: ${size.advice}` }];
  });
  return [...over, ...stale];
}
