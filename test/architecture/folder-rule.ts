import { identifierName, isNode, type ParsedFile, propertyName, type SyntaxNode, walk } from "./parsed-file.ts";
import { isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/** Whether a call makes a folder with those it lies in, as Node does it. */
function makesRecursively({ type, callee, arguments: given }: SyntaxNode): boolean {
  if (type !== "CallExpression" || !isNode(callee)) return false;
  const name = callee.type === "MemberExpression" ? propertyName(callee) : identifierName(callee);
  if (!/^mkdir(Sync)?$/.test(name ?? "")) return false;
  const options = (given as readonly SyntaxNode[])[1];
  const fields = isNode(options) && Array.isArray(options.properties) ? options.properties.filter(isNode) : [];
  return fields.some(({ key, value }) => identifierName(key) === "recursive" && isNode(value) && value.value !== false);
}

/**
 * Rule 8: the program makes folders with `makeFolder`. Node's own `recursive` never returns where a folder is refused as if
 * its parent were not there, as below `/proc`.
 */
export function folderRule(files: readonly ParsedFile[]): readonly Violation[] {
  return files
    .filter(({ path }) => /^(packages|apps)\/[^/]+\/src\//.test(path) && !isTestFile(path))
    .flatMap((file) => {
      const found: Violation[] = [];
      walk(file.program, (node) => {
        if (!makesRecursively(node)) return;
        const message = "mkdir with recursive may hang for ever: makeFolder of packages/config makes folders";
        found.push({ file: file.path, line: file.lineAt(node.start), message });
      });
      return found;
    });
}
