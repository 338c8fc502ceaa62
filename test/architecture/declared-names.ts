import { childNodes, identifierName, isNode, type SyntaxNode } from "./parsed-file.ts";

/** The identifiers a binding pattern introduces: `a`, `{ a, b: c }`, `[d, ...e]`, `f = 1`. */
function patternNames(pattern: SyntaxNode): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name as string];
    case "AssignmentPattern":
      return isNode(pattern.left) ? patternNames(pattern.left) : [];
    case "Property":
      return isNode(pattern.value) ? patternNames(pattern.value) : [];
    case "TSParameterProperty":
      return isNode(pattern.parameter) ? patternNames(pattern.parameter) : [];
    default:
      return childNodes(pattern).flatMap(patternNames);
  }
}

function declarationNames(statement: SyntaxNode): string[] {
  if (statement.type === "VariableDeclaration") {
    return (statement.declarations as readonly SyntaxNode[]).flatMap(({ id }) => (isNode(id) ? patternNames(id) : []));
  }
  const isNamed = statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration";
  return isNamed ? [identifierName(statement.id) ?? ""] : [];
}

/** The names a scope below the module introduces: a function's parameters, a block's or loop's declarations. */
export function declaredNames(scope: SyntaxNode): ReadonlySet<string> {
  if (Array.isArray(scope.params)) return new Set(scope.params.filter(isNode).flatMap(patternNames));
  if (scope.type === "BlockStatement") return new Set((scope.body as readonly SyntaxNode[]).flatMap(declarationNames));
  if (scope.type === "CatchClause" && isNode(scope.param)) return new Set(patternNames(scope.param));
  const head = scope.init ?? scope.left;
  return new Set(/^For/.test(scope.type) && isNode(head) ? declarationNames(head) : []);
}
