import { type RuleException, ruleExceptions, type SizeException, sizeExceptions } from "./architecture-plan.ts";
import { docstringRule } from "./docstring-rule.ts";
import { importTableRule } from "./import-table-rule.ts";
import { moduleRule } from "./module-rule.ts";
import { moduleStateRule } from "./module-state-rule.ts";
import { nameRule } from "./name-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { sizeRule } from "./size-rule.ts";
import type { SourceTree } from "./source-tree.ts";
import { testRule } from "./test-rule.ts";
import type { Violation } from "./violation.ts";

/** Every violation of the architecture rules, by the rule that found it. */
export interface ArchitectureReport {
  readonly syntax: readonly Violation[];
  readonly imports: readonly Violation[];
  readonly modules: readonly Violation[];
  readonly names: readonly Violation[];
  readonly sizes: readonly Violation[];
  readonly moduleState: readonly Violation[];
  readonly docstrings: readonly Violation[];
  readonly tests: readonly Violation[];
  /** Exceptions nothing needs any more. */
  readonly exceptions: readonly Violation[];
}

/** Checks a tree against the rules of `docs/architecture.md`. */
export function checkArchitecture(
  tree: SourceTree,
  exceptions: { readonly sizes: readonly SizeException[]; readonly rules: readonly RuleException[] } = {
    sizes: sizeExceptions,
    rules: ruleExceptions,
  },
): ArchitectureReport {
  const files = parseTree(tree);
  const used = new Set<RuleException>();
  const withoutExcepted = (violations: readonly Violation[]): readonly Violation[] =>
    violations.filter(({ file, message }) => {
      const exception = exceptions.rules.find(
        (candidate) => candidate.file === file && message.includes(candidate.match),
      );
      if (exception) used.add(exception);
      return !exception;
    });
  return {
    syntax: files.flatMap(({ path, errors }) => errors.map((message) => ({ file: path, message }))),
    imports: importTableRule(tree, files),
    modules: moduleRule(files),
    names: nameRule(tree),
    sizes: sizeRule(files, exceptions.sizes),
    docstrings: docstringRule(tree, files),
    moduleState: withoutExcepted(moduleStateRule(files)),
    tests: withoutExcepted(testRule(files)),
    exceptions: exceptions.rules
      .filter((exception) => !used.has(exception))
      .map(({ file, match }) => ({ file, message: `the exception for "${match}" is no longer needed` })),
  };
}
