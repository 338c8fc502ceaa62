import {
  chainRoot,
  identifierName,
  isNode,
  type ParsedFile,
  propertyName,
  type SyntaxNode,
  walk,
} from "./parsed-file.ts";
import { isTestFile, locationOf } from "./source-path.ts";
import type { Violation } from "./violation.ts";

const testCalls: ReadonlySet<string> = new Set(["test", "it", "describe", "suite", "bench"]);
const hooks = /^(before|after)(Each|All)$/;
const unfinished = /^(only|skip|todo|skipIf|runIf|fails|concurrentOnly)$/;
const moduleFakes = /^(mock|doMock|unmock|importMock|hoisted|stubGlobal)$/;
const databaseFakes = /^(fake|mock|stub|dummy|inMemory)(\w*(Database|Db|LibSql)\w*|Store|Journal)$/i;

/** Where the test lies: beside what it tests, or in the root's `test` folder when it spans packages. */
function locationProblem(file: ParsedFile, paths: ReadonlySet<string>): string | undefined {
  const location = locationOf(file.path);
  if (!location) return file.path.startsWith("test/") ? undefined : "a test lies beside what it tests, or under test/";
  if (!/^(packages|apps)\//.test(location.folder)) return undefined;
  if (location.inSource === undefined || file.path.includes("/__tests__/")) {
    return "a test lies beside the source it tests, under src";
  }
  // Directly under src a test may span the package's modules.
  // So may one that starts a whole service, which lies in the module it is about.
  const near =
    location.module === undefined
      ? /^\.\//
      : /^\.\/[^/]+$|\/testing\/(?:test-service|gated-service|service-process)\.ts$/;
  const besides = file.requests.some(({ specifier }) => specifier !== undefined && near.test(specifier));
  const namesake = file.path.replace(/\.test(-d)?\.(tsx?)$/, ".$2");
  return besides || paths.has(namesake)
    ? undefined
    : "the test uses nothing of the folder it lies in: move it beside what it tests";
}

function titleProblem(node: SyntaxNode): string | undefined {
  const callee = isNode(node.callee) && node.callee.type === "CallExpression" ? node.callee.callee : node.callee;
  const root = chainRoot(callee);
  if (root !== "test" && root !== "it") return undefined;
  const title = (node.arguments as readonly unknown[])[0];
  const text = isNode(title) && title.type === "Literal" && typeof title.value === "string" ? title.value : undefined;
  if (text === undefined) return undefined;
  const isTemplate = /^[%$]/.test(text);
  return !isTemplate && text.trim().split(/\s+/).length < 2
    ? `the title "${text}" names no behaviour: write what happens`
    : undefined;
}

/** `new Promise((resolve) => setTimeout(resolve, …))` in its spellings, and the promise forms of `node:timers`. */
function isSleep(node: SyntaxNode): boolean {
  if (node.type === "NewExpression" && identifierName(node.callee) === "Promise") {
    const executor = (node.arguments as readonly unknown[])[0];
    if (!isNode(executor) || !Array.isArray(executor.params)) return false;
    const resolve = identifierName(executor.params[0]);
    let sleeps = false;
    walk(executor, (inner) => {
      if (inner.type !== "CallExpression" || !isGlobalSetTimeout(inner.callee)) return;
      const [first] = inner.arguments as readonly unknown[];
      sleeps ||= resolve !== undefined && callsOnly(first, resolve);
    });
    return sleeps;
  }
  return false;
}

/** The global timer, not a clock's: a clock is a port that tests turn by hand. */
function isGlobalSetTimeout(callee: unknown): boolean {
  return (
    identifierName(callee) === "setTimeout" ||
    (propertyName(callee) === "setTimeout" && chainRoot(callee) === "globalThis")
  );
}

/** Whether a callback is `resolve` itself or a function that does nothing but call it. */
function callsOnly(callback: unknown, resolve: string): boolean {
  if (identifierName(callback) === resolve) return true;
  if (!isNode(callback) || callback.type !== "ArrowFunctionExpression" || !isNode(callback.body)) return false;
  const { body } = callback;
  const statements = body.type === "BlockStatement" ? (body.body as readonly SyntaxNode[]) : [body];
  const [only] = statements;
  const call = only?.type === "ExpressionStatement" ? only.expression : only;
  return (
    statements.length === 1 && isNode(call) && call.type === "CallExpression" && identifierName(call.callee) === resolve
  );
}

function importProblem(node: SyntaxNode): string | undefined {
  if (node.type !== "ImportDeclaration") return undefined;
  const source = (node.source as { readonly value: string }).value;
  const names = (node.specifiers as readonly SyntaxNode[]).map(({ imported }) => identifierName(imported));
  const sleeps = /^(node:)?timers\/promises$/.test(source) && names.some((name) => name !== "setImmediate");
  return sleeps ? "sleeps with timers/promises: wait for the event or the condition (expect.poll)" : undefined;
}

/** A number at the end of a test or what prepares it, a `timeout` of its options or of a poll's, and waits of a second. */
function limitProblem(node: SyntaxNode): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const callee = isNode(node.callee) && node.callee.type === "CallExpression" ? node.callee.callee : node.callee;
  const root = chainRoot(callee) ?? "";
  const property = propertyName(callee) ?? "";
  if (root === "vi" && /^wait(For|Until)$/.test(property)) {
    return `vi.${property} gives up after a second: expect.poll waits until only a hang explains it`;
  }
  const isLimited =
    (testCalls.has(root) && root !== "bench") || hooks.test(root) || (root === "expect" && property === "poll");
  if (!isLimited) return undefined;
  const [, ...others] = node.arguments as readonly unknown[];
  return others.some(isLimit)
    ? "sets a limit of its own, which a busy machine reaches: those of vitest.config.ts are reached by hangs only"
    : undefined;
}

/** A number, or options with a `timeout`. */
function isLimit(argument: unknown): boolean {
  if (!isNode(argument)) return false;
  if (argument.type === "Literal") return typeof argument.value === "number";
  if (argument.type !== "ObjectExpression") return false;
  return (argument.properties as readonly SyntaxNode[]).some(({ key }) => identifierName(key) === "timeout");
}

function databaseFakeProblem(node: SyntaxNode): string | undefined {
  const isDeclaration = /^(VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/.test(node.type);
  const name = isDeclaration ? identifierName(node.id) : undefined;
  if (name !== undefined && databaseFakes.test(name)) {
    return `${name} fakes the database: use libSQL in memory or in a temporary file`;
  }
  const implemented =
    node.type === "ClassDeclaration" ? ((node.implements as readonly SyntaxNode[] | undefined) ?? []) : [];
  const fakesPort = implemented.some(({ expression }) => /Database/.test(identifierName(expression) ?? ""));
  return fakesPort ? "a class replaces the database: use libSQL in memory or in a temporary file" : undefined;
}

function callProblem(node: SyntaxNode): string | undefined {
  const property = propertyName(node);
  if (property !== undefined) {
    const root = chainRoot(node) ?? "";
    if ((testCalls.has(root) || /^(ctx|context|t)$/.test(root)) && unfinished.test(property)) {
      return `.${property}: every test runs, always`;
    }
    if (root === "vi" && moduleFakes.test(property)) {
      return `vi.${property} replaces a module: fake the world at its port instead`;
    }
  }
  if (node.type !== "CallExpression") return undefined;
  const callee = identifierName(node.callee) ?? "";
  if (/^x(it|test|describe)$/.test(callee)) return `${callee}: every test runs, always`;
  return titleProblem(node);
}

/**
 * Rule 9: tests lie beside what they test and are titled as behaviour; none is skipped, focused or left for later;
 * modules and the database are never faked; nothing sleeps and hopes, or sets a limit that a busy machine reaches.
 */
export function testRule(files: readonly ParsedFile[]): readonly Violation[] {
  const paths = new Set(files.map((file) => file.path));
  return files
    .filter(({ path }) => isTestFile(path))
    .flatMap((file) => {
      const found: Violation[] = [];
      const misplaced = locationProblem(file, paths);
      if (misplaced !== undefined) found.push({ file: file.path, message: misplaced });
      walk(file.program, (node) => {
        const sleep = isSleep(node) ? "sleeps for luck: wait for the event or the condition (expect.poll)" : undefined;
        const message =
          sleep ?? importProblem(node) ?? limitProblem(node) ?? databaseFakeProblem(node) ?? callProblem(node);
        if (message !== undefined) found.push({ file: file.path, line: file.lineAt(node.start), message });
      });
      return found;
    });
}
