import { declaredNames } from "./declared-names.ts";
import {
  chainRoot,
  identifierName,
  isNode,
  type ParsedFile,
  propertyName,
  type SyntaxNode,
  walk,
} from "./parsed-file.ts";
import { isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/** Built-ins a module may construct once: nothing can be put into them. */
const harmlessClasses = /^(TextEncoder|TextDecoder|RegExp|URL|URLPattern|Date|Error|\w+Error)$/;
const collections: ReadonlySet<string> = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array", "Object"]);
const readonlyTypes = /^(ReadonlyMap|ReadonlySet|ReadonlyArray|Readonly)$/;
const mutators =
  /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|append|assign|defineProperty)$/;

interface TopLevel {
  readonly name: string;
  readonly init: SyntaxNode | undefined;
  readonly annotation: SyntaxNode | undefined;
}

function statementsOf({ program }: ParsedFile): readonly SyntaxNode[] {
  return (program.body as readonly SyntaxNode[]).map((statement) =>
    isNode(statement.declaration) ? statement.declaration : statement,
  );
}

function constantsOf(statement: SyntaxNode): readonly TopLevel[] {
  if (statement.type !== "VariableDeclaration" || statement.declare === true) return [];
  return (statement.declarations as readonly SyntaxNode[]).flatMap(({ id, init }) => {
    const name = identifierName(id);
    if (name === undefined || !isNode(id)) return [];
    const annotation = isNode(id.typeAnnotation) ? (id.typeAnnotation.typeAnnotation as SyntaxNode) : undefined;
    return [{ name, init: isNode(init) ? init : undefined, annotation }];
  });
}

/** Whether an annotation makes it read-only: `ReadonlyMap<…>`, `readonly T[]`, `Readonly<…>`. */
function isReadonlyType(annotation: SyntaxNode | undefined): boolean {
  if (annotation?.type === "TSTypeOperator") return annotation.operator === "readonly";
  return annotation?.type === "TSTypeReference" && readonlyTypes.test(identifierName(annotation.typeName) ?? "");
}

/** Looks through `as const`, `satisfies X` and `x!`; `as const` and `Object.freeze(…)` answer undefined: they are fixed. */
function openValue(init: SyntaxNode | undefined): SyntaxNode | undefined {
  if (
    init?.type === "TSAsExpression" ||
    init?.type === "TSSatisfiesExpression" ||
    init?.type === "TSNonNullExpression"
  ) {
    const type = init.typeAnnotation;
    const isConst = isNode(type) && type.type === "TSTypeReference" && identifierName(type.typeName) === "const";
    if (isConst || (isNode(type) && isReadonlyType(type))) return undefined;
    return openValue(init.expression as SyntaxNode);
  }
  const isFreeze = init?.type === "CallExpression" && propertyName(init.callee) === "freeze";
  return isFreeze ? undefined : init;
}

function containerProblem({ name, init, annotation }: TopLevel): string | undefined {
  const value = openValue(init);
  if (!value || isReadonlyType(annotation)) return undefined;
  if (value.type === "NewExpression") {
    const callee = identifierName(value.callee);
    if (callee !== undefined && collections.has(callee)) {
      return `${name} is a mutable ${callee} held by the module: annotate it Readonly${callee}, or let its owner create it`;
    }
    const isIntl = chainRoot(value.callee) === "Intl";
    if (isIntl || (callee !== undefined && harmlessClasses.test(callee))) return undefined;
    return `${name} is an object with a life of its own held by the module: let compose create it and pass it in`;
  }
  const isEmptyArray = value.type === "ArrayExpression" && (value.elements as readonly unknown[]).length === 0;
  const isEmptyObject = value.type === "ObjectExpression" && (value.properties as readonly unknown[]).length === 0;
  return isEmptyArray || isEmptyObject
    ? `${name} starts empty, so something fills it later: no mutable module state`
    : undefined;
}

/** The top-level name an expression writes to, or undefined. */
function writtenName(node: SyntaxNode): string | undefined {
  const target = { AssignmentExpression: node.left, UpdateExpression: node.argument, UnaryExpression: node.argument }[
    node.type
  ];
  if (isNode(target) && (node.type !== "UnaryExpression" || node.operator === "delete")) {
    return target.type === "MemberExpression" ? chainRoot(target) : undefined;
  }
  if (node.type !== "CallExpression" || !isNode(node.callee)) return undefined;
  const method = propertyName(node.callee) ?? "";
  if (!mutators.test(method)) return undefined;
  const object = node.callee.object;
  const isObjectCall = identifierName(object) === "Object" || identifierName(object) === "Reflect";
  if (isObjectCall) return chainRoot((node.arguments as readonly unknown[])[0]);
  // Only the object itself and what it holds by name: `table.rows.push()`, but not `table.find(x).push()`.
  return isNode(object) && object.type === "CallExpression" ? undefined : chainRoot(object);
}

function isStickyPattern(init: SyntaxNode | undefined): boolean {
  const regex = init?.regex as { readonly flags: string } | undefined;
  return regex !== undefined && /[gy]/.test(regex.flags);
}

function writeViolations(file: ParsedFile, topLevel: readonly TopLevel[]): Violation[] {
  const found: Violation[] = [];
  const names = new Set(topLevel.map(({ name }) => name));
  const sticky = new Set(topLevel.filter(({ init }) => isStickyPattern(init)).map(({ name }) => name));
  const report = (node: SyntaxNode, message: string): void => {
    found.push({ file: file.path, line: file.lineAt(node.start), message });
  };
  walk(file.program, (node, ancestors) => {
    const name = writtenName(node);
    const isShadowed = (written: string) => ancestors.some((scope) => declaredNames(scope).has(written));
    if (name === "globalThis" || name === "global")
      report(node, "writes to globalThis: pass the value to who needs it");
    else if (name !== undefined && names.has(name) && !isShadowed(name)) {
      report(node, `changes ${name}, which the module holds: no mutable module state`);
    }
    const method = node.type === "CallExpression" ? propertyName(node.callee) : undefined;
    const pattern = method === "exec" || method === "test" ? chainRoot(node.callee) : undefined;
    if (pattern !== undefined && sticky.has(pattern) && !isShadowed(pattern)) {
      report(
        node,
        `${pattern} has a g or y flag, so ${method}() leaves a position behind in the module: drop the flag`,
      );
    }
  });
  return found;
}

function classViolations(file: ParsedFile): Violation[] {
  const imported = new Map<string, string>();
  const local = new Set<string>();
  walk(file.program, (node) => {
    if (node.type === "ImportDeclaration") {
      const source = (node.source as { readonly value: string }).value;
      for (const { local: binding } of node.specifiers as readonly SyntaxNode[]) {
        imported.set(identifierName(binding) ?? "", source);
      }
    }
    if (node.type === "ClassDeclaration") local.add(identifierName(node.id) ?? "");
  });
  const found: Violation[] = [];
  walk(file.program, (node) => {
    const line = file.lineAt(node.start);
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
      const parent = chainRoot(node.superClass);
      const isOurs =
        parent !== undefined && (local.has(parent) || /^(\.|@agent-service\/)/.test(imported.get(parent) ?? ""));
      if (isOurs && !parent.endsWith("Error")) {
        found.push({
          file: file.path,
          line,
          message: `extends ${parent}: extension is by registration, never by subclassing`,
        });
      }
      if (node.abstract === true) {
        found.push({
          file: file.path,
          line,
          message: "an abstract class asks to be subclassed: take a function or a port",
        });
      }
    }
    if (node.type === "PropertyDefinition" && node.static === true) {
      const value = openValue(isNode(node.value) ? node.value : undefined);
      const holds = value?.type === "NewExpression" && collections.has(identifierName(value.callee) ?? "");
      if (node.readonly !== true || holds) {
        found.push({ file: file.path, line, message: "a static field that can change is mutable module state" });
      }
    }
  });
  return found;
}

/**
 * Rule 5: no mutable module state, no service locator, no subclassing of our own classes (errors excepted). Reads
 * packages and apps, tests apart. It is a careful reading, not a proof: a module-level `const` that a function of
 * another module fills escapes it.
 */
export function moduleStateRule(files: readonly ParsedFile[]): readonly Violation[] {
  return files
    .filter(({ path }) => /^(packages|apps)\//.test(path) && !isTestFile(path))
    .flatMap((file) => {
      const statements = statementsOf(file);
      const rebindable = statements.filter(
        ({ type, kind, declare }) =>
          type === "VariableDeclaration" && (kind === "let" || kind === "var") && declare !== true,
      );
      const topLevel = statements.flatMap(constantsOf);
      const containers = statements.flatMap((statement) =>
        constantsOf(statement).flatMap((constant) => {
          const message = containerProblem(constant);
          return message === undefined ? [] : [{ file: file.path, line: file.lineAt(statement.start), message }];
        }),
      );
      return [
        ...rebindable.map(({ start, kind }) => ({
          file: file.path,
          line: file.lineAt(start),
          message: `a module-level ${String(kind)} is mutable module state`,
        })),
        ...containers,
        ...writeViolations(file, topLevel),
        ...classViolations(file),
      ];
    });
}
