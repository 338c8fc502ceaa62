import { maxFileLines, maxFunctionLines, type SizeException } from "./architecture-plan.ts";
import { identifierName, isNode, type ParsedFile, type SyntaxNode, walk } from "./parsed-file.ts";
import { isGeneratedOrMigration, isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

interface Size {
  readonly file: string;
  /** The function's name; undefined for the file itself. */
  readonly name: string | undefined;
  readonly line: number;
  readonly lines: number;
  readonly limit: number;
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

function sizesOf(file: ParsedFile): readonly Size[] {
  const lines = file.text.replace(/\n$/, "").split("\n").length;
  const sizes: Size[] = [{ file: file.path, name: undefined, line: 1, lines, limit: maxFileLines }];
  walk(file.program, (node, ancestors) => {
    if (!functionTypes.has(node.type) || !isNode(node.body)) return;
    const line = file.lineAt(node.start);
    const length = file.lineAt(node.end) - line + 1;
    sizes.push({
      file: file.path,
      name: functionName(node, ancestors.at(-1)),
      line,
      lines: length,
      limit: maxFunctionLines,
    });
  });
  return sizes;
}

/**
 * Rule 4: a source file has at most 400 lines and a function 80, its inner functions counted. Tests, migrations
 * and generated files are exempt. An exception holds up to its ceiling; one that is not needed any more is a violation
 * too.
 */
export function sizeRule(files: readonly ParsedFile[], exceptions: readonly SizeException[]): readonly Violation[] {
  const measured = files.filter(({ path }) => !isTestFile(path) && !isGeneratedOrMigration(path)).flatMap(sizesOf);
  const tooLarge = measured.filter(({ lines, limit }) => lines > limit);
  const exceptionOf = ({ file, name }: Size) =>
    exceptions.find((exception) => exception.file === file && exception.name === name);
  const stale = exceptions
    .filter((exception) => !tooLarge.some((size) => exceptionOf(size) === exception))
    .map(({ file, name }) => ({ file, message: `the size exception for ${name ?? "this file"} is no longer needed` }));
  const over = tooLarge
    .filter((size) => size.lines > (exceptionOf(size)?.ceiling ?? size.limit))
    .map((size) => ({
      file: size.file,
      line: size.line,
      message: `${size.name === undefined ? "the file" : `function ${size.name}`} has ${size.lines} lines, at most ${exceptionOf(size)?.ceiling ?? size.limit}: move a part into a small file named after what it does`,
    }));
  return [...over, ...stale];
}
