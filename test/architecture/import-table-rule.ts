import { type AllowedImports, importTable, isOutsideTheTable } from "./architecture-plan.ts";
import { findCycles } from "./find-cycles.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { isTestFile, locationOf } from "./source-path.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Violation } from "./violation.ts";

interface Manifest {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  /** Dependency names by manifest field. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

const runtimeFields = ["dependencies", "peerDependencies", "optionalDependencies"];
const dependencyFields = [...runtimeFields, "devDependencies"];
/** What tests of several packages draw: no package could hold it, since it needs what only tests have. */
const valuesOfTests = "test/values/";
const noImports: AllowedImports = { values: [], types: [] };

function manifestsOf(tree: SourceTree): readonly Manifest[] {
  return [...tree].flatMap(([path, text]) => {
    const folder = path.endsWith("/package.json") ? path.slice(0, -"/package.json".length) : undefined;
    if (folder === undefined || locationOf(path)?.folder !== folder) return [];
    const json = JSON.parse(text) as Record<string, unknown> & { name: string };
    const fields = dependencyFields.map(
      (field) => [field, Object.keys((json[field] as object | undefined) ?? {})] as const,
    );
    return [{ name: json.name, folder, path, fields: new Map(fields) }];
  });
}

/** The package a bare specifier belongs to: `@scope/name/entry` to `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function manifestViolations(manifests: readonly Manifest[], isWorkspace: (name: string) => boolean): Violation[] {
  return manifests.flatMap(({ folder, path, fields }) => {
    if (isOutsideTheTable(folder)) return [];
    const { values, types } = importTable[folder] ?? noImports;
    const allowed = new Set([...values, ...types].map(packageOf));
    return [...fields].flatMap(([field, names]) =>
      names
        .filter((name) => isWorkspace(name) && !allowed.has(name))
        .map((name) => ({ file: path, message: `${field} names ${name}: the import table does not allow it` })),
    );
  });
}

function requestProblem(
  manifest: Manifest,
  specifier: string,
  typeOnly: boolean,
  context: { readonly isTest: boolean; readonly inSource: boolean; isWorkspace(name: string): boolean },
): string | undefined {
  const { values, types, anyRuntime } = importTable[manifest.folder] ?? noImports;
  if (specifier.startsWith("node:")) {
    const refused = anyRuntime && context.inSource && !context.isTest;
    return refused ? `imports ${specifier}, but this package runs in any runtime` : undefined;
  }
  const name = packageOf(specifier);
  if (name === manifest.name) {
    return context.inSource ? `imports its own package as ${specifier}: use a relative path` : undefined;
  }
  if (context.isWorkspace(name) && !isOutsideTheTable(manifest.folder) && !values.includes(specifier)) {
    if (!types.includes(specifier)) return `imports ${specifier}: the import table does not allow it`;
    if (!typeOnly)
      return `imports values from ${specifier}: the import table allows types only, so write "import type"`;
  }
  if (!context.inSource || context.isTest) return undefined;
  const declared = runtimeFields.some((field) => manifest.fields.get(field)?.includes(name));
  return declared ? undefined : `imports ${name}, which its package.json does not name among its dependencies`;
}

function importViolations(
  files: readonly ParsedFile[],
  manifests: readonly Manifest[],
  isWorkspace: (name: string) => boolean,
): Violation[] {
  const byFolder = new Map(manifests.map((manifest) => [manifest.folder, manifest]));
  return files.flatMap((file) => {
    const location = locationOf(file.path);
    const manifest = location && byFolder.get(location.folder);
    if (!location || !manifest) return [];
    const context = { isTest: isTestFile(file.path), inSource: location.inSource !== undefined, isWorkspace };
    return file.requests.flatMap(({ specifier, typeOnly, line }) => {
      if (specifier === undefined) return [];
      const message = specifier.startsWith(".")
        ? leavesPackage(file.path, specifier, location.folder)
        : requestProblem(manifest, specifier, typeOnly, context);
      return message === undefined ? [] : [{ file: file.path, line, message }];
    });
  });
}

function leavesPackage(path: string, specifier: string, folder: string): string | undefined {
  const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
  if (isTestFile(path) && target.startsWith(valuesOfTests)) return undefined;
  return target.startsWith(`${folder}/`)
    ? undefined
    : `reaches out of its package with ${specifier}: import the other package by its name`;
}

function packageCycles(files: readonly ParsedFile[], manifests: readonly Manifest[]): Violation[] {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const edges = new Map<string, Set<string>>();
  for (const { name, fields } of manifests) {
    edges.set(name, new Set([...fields.values()].flat().filter((other) => byName.has(other))));
  }
  for (const { path, requests } of files) {
    const from = manifests.find(({ folder }) => locationOf(path)?.folder === folder);
    for (const { specifier } of requests) {
      const name = specifier === undefined ? "" : packageOf(specifier);
      if (from && name !== from.name && byName.has(name)) edges.get(from.name)?.add(name);
    }
  }
  return findCycles(edges).map((cycle) => ({
    file: byName.get(cycle[0] ?? "")?.path ?? "",
    message: `packages import each other in a circle: ${cycle.join(" → ")}`,
  }));
}

/**
 * Rule 1 between packages: the import table holds in every manifest and every import (type-only, dynamic and
 * worker URLs included), nothing reaches into another package by path, no source file uses an undeclared dependency,
 * and packages form no circle.
 */
export function importTableRule(tree: SourceTree, files: readonly ParsedFile[]): readonly Violation[] {
  const manifests = manifestsOf(tree);
  const names = new Set(manifests.map(({ name }) => name));
  const isWorkspace = (name: string) => names.has(name) || name.startsWith("@agent-service/");
  return [
    ...manifestViolations(manifests, isWorkspace),
    ...importViolations(files, manifests, isWorkspace),
    ...packageCycles(files, manifests),
  ];
}
