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

/** Where errors have one shape, and the file that defines it. */
const shaped = { folder: "packages/agent-core/", base: "packages/agent-core/src/error/coded-error.ts" } as const;

function problemOf({ path }: ParsedFile, declaration: SyntaxNode): string | undefined {
  if (identifierName(declaration.superClass) !== "Error" || path === shaped.base) return undefined;
  const name = identifierName(declaration.id);
  if (path.startsWith(shaped.folder)) return `${name} extends Error: errors of the engine extend CodedError`;
  return hasCode(declaration) ? undefined : `${name} has no code: whoever catches it needs one that stays`;
}

/**
 * Rule 8: an error class that others can catch has a stable `code`. In the engine it extends `CodedError`, which also says
 * whether the error is final.
 */
export function errorRule(files: readonly ParsedFile[]): readonly Violation[] {
  return files
    .filter(({ path }) => /^(packages|apps)\//.test(path) && !isTestFile(path))
    .flatMap((file) =>
      (file.program.body as readonly SyntaxNode[]).flatMap(({ type, declaration }) => {
        const isExported = type === "ExportNamedDeclaration" && isNode(declaration);
        if (!isExported || declaration.type !== "ClassDeclaration") return [];
        const message = problemOf(file, declaration);
        return message === undefined ? [] : [{ file: file.path, line: file.lineAt(declaration.start), message }];
      }),
    );
}
