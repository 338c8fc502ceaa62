import { arrowRule } from "./arrow-rule.ts";
import { docstringRule } from "./docstring-rule.ts";
import { type RuleException, ruleExceptions, type SizeException, sizeExceptions } from "./house-plan.ts";
import { moduleStateRule } from "./module-state-rule.ts";
import { nameRule } from "./name-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { sizeRule } from "./size-rule.ts";
import { sliceRule } from "./slice-rule.ts";
import type { SourceTree } from "./source-tree.ts";
import { testRule } from "./test-rule.ts";
import type { Violation } from "./violation.ts";

/** Every breach of the house's rules 1 to 5 and 7, by the rule that found it. */
export interface HouseReport {
  readonly syntax: readonly Violation[];
  readonly arrows: readonly Violation[];
  readonly slices: readonly Violation[];
  readonly names: readonly Violation[];
  readonly sizes: readonly Violation[];
  readonly moduleState: readonly Violation[];
  readonly docstrings: readonly Violation[];
  readonly tests: readonly Violation[];
  /** Exceptions nothing needs any more. */
  readonly exceptions: readonly Violation[];
}

/** Measures a tree against the house's rules. */
export function checkHouse(
  tree: SourceTree,
  exceptions: { readonly sizes: readonly SizeException[]; readonly rules: readonly RuleException[] } = {
    sizes: sizeExceptions,
    rules: ruleExceptions,
  },
): HouseReport {
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
    arrows: arrowRule(tree, files),
    slices: sliceRule(files),
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
