import { featureLocations } from "./architecture-plan.ts";
import { citedIdRule } from "./cited-id-rule.ts";
import { docstringRule } from "./docstring-rule.ts";
import { errorRule } from "./error-rule.ts";
import { type LimitException, limitExceptions, longFiles, type RuleException, ruleExceptions } from "./exceptions.ts";
import { featureRule } from "./feature-rule.ts";
import { fileCycleRule } from "./file-cycle-rule.ts";
import { folderRule } from "./folder-rule.ts";
import { importTableRule } from "./import-table-rule.ts";
import { longFileRule } from "./long-file-rule.ts";
import { moduleRule } from "./module-rule.ts";
import { moduleStateRule } from "./module-state-rule.ts";
import { nameRule } from "./name-rule.ts";
import { type ParsedFile, parseTree } from "./parsed-file.ts";
import { publicNamesRule } from "./public-names-rule.ts";
import { sizeRule } from "./size-rule.ts";
import type { SourceTree } from "./source-tree.ts";
import { sqlRule } from "./sql-rule.ts";
import { testRule } from "./test-rule.ts";
import type { Violation } from "./violation.ts";

/** A rule: what it is called where it fails, and what it finds. */
export interface Rule {
  readonly title: string;
  find(files: readonly ParsedFile[], tree: SourceTree): readonly Violation[];
}

/** What the rules find is compared with. */
export interface Exceptions {
  readonly limits: readonly LimitException[];
  readonly rules: readonly RuleException[];
  readonly longFiles: readonly string[];
}

/** Those of features, and that of commands, which a feature adds a line to as well. */
const lists = [
  ...featureLocations.flatMap((location) => location.lists),
  "apps/server/src/client-commands/commands.ts",
];

/** The rules of `docs/architecture.md` that a machine can check. */
export function rulesWith(exceptions: Exceptions): readonly Rule[] {
  return [
    {
      title: "every source file can be parsed",
      find: (files) => files.flatMap(({ path, errors }) => errors.map((message) => ({ file: path, message }))),
    },
    {
      title: "rule 1: every import between packages is in the table, and packages form no cycle",
      find: (files, tree) => importTableRule(tree, files),
    },
    { title: "rule 1: files form no cycle, types included", find: fileCycleRule },
    { title: "rules 1 and 2: modules are whole, are imported through their index and downhill", find: moduleRule },
    { title: "rule 2: every folder and file is named after what is inside", find: (_files, tree) => nameRule(tree) },
    { title: "rule 3: features are named in their list only", find: featureRule },
    {
      title: "rule 4: files, functions and folders stay small",
      find: (files) => sizeRule(files, { exceptions: exceptions.limits, lists }),
    },
    {
      title: "rule 4: no file grows above 300 lines",
      find: (files) => longFileRule(files, exceptions.longFiles),
    },
    { title: "rule 5: no module holds state, and nothing is extended by subclassing", find: moduleStateRule },
    { title: "rule 5: SQL is in agent-core only", find: sqlRule },
    { title: "rule 6: every export of a package has a docstring", find: (files, tree) => docstringRule(tree, files) },
    {
      title: "rule 6: what a package offers is written down in its public-names.json",
      find: (files, tree) => publicNamesRule(tree, files),
    },
    {
      title: "rule 7: every cited id has one row in the specification",
      find: (files, tree) => citedIdRule(tree, files),
    },
    { title: "rule 8: every error that can be caught has a code", find: errorRule },
    { title: "rule 8: no folder is made in a way that may hang", find: folderRule },
    { title: "rule 9: tests lie beside what they test, all run, and fake only the outside world", find: testRule },
  ];
}

function covers({ file: at, match }: RuleException, { file, message }: Violation): boolean {
  return (at.endsWith("/") ? file.startsWith(at) : file === at) && message.includes(match);
}

/** What every rule finds in a tree, by the rule's title; the last entry is the exceptions that nothing needs. */
export function checkArchitecture(
  tree: SourceTree,
  exceptions: Exceptions = { limits: limitExceptions, rules: ruleExceptions, longFiles },
): ReadonlyMap<string, readonly Violation[]> {
  const files = parseTree(tree);
  const used = new Set<RuleException>();
  const report = new Map<string, readonly Violation[]>();
  for (const { title, find } of rulesWith(exceptions)) {
    const found = find(files, tree).filter((violation) => {
      const exception = exceptions.rules.find((candidate) => covers(candidate, violation));
      if (exception) used.add(exception);
      return !exception;
    });
    report.set(title, found);
  }
  const unneeded = exceptions.rules
    .filter((exception) => !used.has(exception))
    .map(({ file, match }) => ({ file, message: `the exception for "${match}" is no longer needed` }));
  return report.set("no exception outlives its reason", unneeded);
}
