import { identifierName, isNode, type ParsedFile, type SyntaxNode } from "./parsed-file.ts";
import { isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/** Whether a class declares `code`, as a field, an accessor or a parameter property of its constructor. */
function hasCode({ body }: SyntaxNode): boolean {
  const members = isNode(body) ? (body.body as readonly SyntaxNode[]) : [];
  return members.some(({ key, value }) => {
    if (identifierName(key) === "code") return true;
    const params = isNode(value) && Array.isArray(value.params) ? value.params.filter(isNode) : [];
    return params.some(({ parameter }) => identifierName(parameter) === "code");
  });
}

/** Rule 8: an error class that others can catch has a stable `code`. */
export function errorRule(files: readonly ParsedFile[]): readonly Violation[] {
  return files
    .filter(({ path }) => /^(packages|apps)\//.test(path) && !isTestFile(path))
    .flatMap((file) =>
      (file.program.body as readonly SyntaxNode[]).flatMap(({ type, declaration }) => {
        const isExported = type === "ExportNamedDeclaration" && isNode(declaration);
        if (!isExported || declaration.type !== "ClassDeclaration") return [];
        if (identifierName(declaration.superClass) !== "Error" || hasCode(declaration)) return [];
        const message = `${identifierName(declaration.id)} has no code: whoever catches it needs one that stays`;
        return [{ file: file.path, line: file.lineAt(declaration.start), message }];
      }),
    );
}
