import { featureLocations, moduleOrders } from "./architecture-plan.ts";
import { findCycles } from "./find-cycles.ts";
import { isNode, type ParsedFile, walk } from "./parsed-file.ts";
import { isTestFile, locationOf, type SourceLocation } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/** The key of a feature or surface (`features/chat`, `surfaces/a2a`) or, elsewhere, of the folder directly under `src`. */
function moduleOf({ folder, inSource, module }: SourceLocation): string | undefined {
  if (inSource === undefined || module === undefined) return undefined;
  if (folder.startsWith("apps/") && (module === "features" || module === "surfaces")) {
    return inSource.split("/").length > 2 ? inSource.split("/", 2).join("/") : undefined;
  }
  return module;
}

interface ModuleImport {
  readonly file: string;
  readonly line: number;
  readonly folder: string;
  readonly isTest: boolean;
  /** The importing module; undefined for a file directly under `src`. */
  readonly from: string | undefined;
  /** The imported module; undefined for a file directly under `src`. */
  readonly to: string | undefined;
  /** The imported path below `src`. */
  readonly target: string;
}

function moduleImports(files: readonly ParsedFile[]): readonly ModuleImport[] {
  return files.flatMap(({ path, requests }) => {
    const location = locationOf(path);
    if (location?.inSource === undefined) return [];
    return requests.flatMap(({ specifier, line }) => {
      if (!specifier?.startsWith(".")) return [];
      const targetLocation = locationOf(new URL(specifier, `file:///${path}`).pathname.slice(1));
      if (targetLocation?.folder !== location.folder || targetLocation.inSource === undefined) return [];
      const from = moduleOf(location);
      const to = moduleOf(targetLocation);
      if (from === to) return [];
      const isTest = isTestFile(path);
      return [{ file: path, line, folder: location.folder, isTest, from, to, target: targetLocation.inSource }];
    });
  });
}

/** The folders of features without a written order: directly above `feature`. */
function featureModules(files: readonly ParsedFile[]): ReadonlySet<string> {
  const found = files.flatMap(({ path }) => featureLocations.flatMap(({ folder }) => folder.exec(path)?.[1] ?? []));
  return new Set(found);
}

function importProblem(
  { folder, isTest, from, to, target }: ModuleImport,
  features: ReadonlySet<string>,
): string | undefined {
  if (to === undefined) {
    // The module that starts the whole service for tests is above it.
    return isTest || from === "testing"
      ? undefined
      : `module ${from} imports src/${target}: files directly under src are above the modules`;
  }
  if (from?.startsWith("features/") && to.startsWith("features/")) {
    return `${from} imports ${to}: features never import each other`;
  }
  const isOwnFake = isTest && to === "testing";
  if (!isOwnFake && !/^index\.[jt]sx?$/.test(target.slice(to.length + 1))) {
    return `imports src/${target}: import module ${to} through its index.ts`;
  }
  const order = moduleOrders[folder];
  if (!order || from === undefined || isOwnFake) return undefined;
  const isFeature = (module: string): boolean => features.has(`${folder}/src/${module}`);
  const positionOf = (module: string): number =>
    isFeature(module) ? order.indexOf("feature") - 0.5 : order.indexOf(module);
  const missing = [from, to].find((module) => positionOf(module) === -1);
  if (missing !== undefined)
    return `module ${missing} is not in the written order (test/architecture/architecture-plan.ts)`;
  return positionOf(to) > positionOf(from) || (isFeature(from) && isFeature(to))
    ? undefined
    : `module ${from} imports ${to}, which is above it: imports go downhill`;
}

function moduleCycles(imports: readonly ModuleImport[]): Violation[] {
  const folders = new Set(imports.map(({ folder }) => folder));
  return [...folders].flatMap((folder) => {
    const edges = new Map<string, Set<string>>();
    for (const { folder: at, from, to, isTest } of imports) {
      if (at !== folder || isTest || from === undefined || to === undefined) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
    return findCycles(edges).map((cycle) => ({
      file: `${folder}/src/${cycle[0]}`,
      message: `modules import each other in a circle: ${cycle.join(" → ")}`,
    }));
  });
}

function incompleteModules(files: readonly ParsedFile[]): Violation[] {
  const modules = new Map<string, ParsedFile[]>();
  for (const file of files) {
    const location = locationOf(file.path);
    const module = location && moduleOf(location);
    if (!location || module === undefined || !/^(packages|apps)\//.test(location.folder)) continue;
    const key = `${location.folder}/src/${module}`;
    modules.set(key, [...(modules.get(key) ?? []), file]);
  }
  return [...modules].flatMap(([module, members]) => {
    const problems: Violation[] = [];
    if (!members.some(({ path }) => /\/index\.tsx?$/.test(path) && path.lastIndexOf("/") === module.length)) {
      problems.push({ file: module, message: "a module has an index.ts with its exports" });
    }
    // What the service adds to a feature of the engine in its index alone is held by the tests of the surfaces.
    const joins = module.startsWith("apps/server/src/features/") && members.length === 1;
    const runs = !joins && members.some((file) => !isTestFile(file.path) && hasBehaviour(file));
    if (runs && !members.some(({ path }) => isTestFile(path))) {
      problems.push({ file: module, message: "a module lies together with its tests: none is here" });
    }
    return problems;
  });
}

/** Whether anything in the file runs: types, plain constants and re-exports need no test of their own. */
function hasBehaviour({ program }: ParsedFile): boolean {
  let found = false;
  walk(program, ({ type, body }) => {
    found ||= type === "ClassDeclaration" || (/^(Function|Arrow)/.test(type) && isNode(body));
  });
  return found;
}

/**
 * Rules 1 and 2 inside a package. A module is a folder directly under `src` (in the console: a feature). It has an
 * index and tests; siblings are imported through their `index.ts`; where an order is written down imports go downhill, with
 * the features directly above what defines them; everywhere without cycles; files directly under `src` are above all modules. The same holds for tests, except that
 * they may use the files above and any file of the `testing` module: its index is public, its other fakes are ours.
 */
export function moduleRule(files: readonly ParsedFile[]): readonly Violation[] {
  const imports = moduleImports(files);
  const features = featureModules(files);
  const direct = imports.flatMap((found) => {
    const message = importProblem(found, features);
    return message === undefined ? [] : [{ file: found.file, line: found.line, message }];
  });
  return [...direct, ...moduleCycles(imports), ...incompleteModules(files)];
}
