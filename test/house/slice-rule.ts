import { isTestFile, type Place, placeOf } from "./file-kind.ts";
import { findCycles } from "./find-cycles.ts";
import { sliceOrders } from "./house-plan.ts";
import { isNode, type ParsedFile, walk } from "./parsed-file.ts";
import type { Violation } from "./violation.ts";

/** The key of a feature (`features/chat`) or, elsewhere, of the folder directly under `src`. */
function sliceOf({ folder, inSource, slice }: Place): string | undefined {
  if (inSource === undefined || slice === undefined) return undefined;
  if (folder.startsWith("apps/") && slice === "features") {
    return inSource.split("/").length > 2 ? inSource.split("/", 2).join("/") : undefined;
  }
  return slice;
}

interface SliceImport {
  readonly file: string;
  readonly line: number;
  readonly folder: string;
  readonly isTest: boolean;
  /** The importing slice; undefined for a file directly under `src`. */
  readonly from: string | undefined;
  /** The imported slice; undefined for a file directly under `src`. */
  readonly to: string | undefined;
  /** The imported path below `src`. */
  readonly target: string;
}

function sliceImports(files: readonly ParsedFile[]): readonly SliceImport[] {
  return files.flatMap(({ path, requests }) => {
    const place = placeOf(path);
    if (place?.inSource === undefined) return [];
    return requests.flatMap(({ specifier, line }) => {
      if (!specifier?.startsWith(".")) return [];
      const targetPlace = placeOf(new URL(specifier, `file:///${path}`).pathname.slice(1));
      if (targetPlace?.folder !== place.folder || targetPlace.inSource === undefined) return [];
      const from = sliceOf(place);
      const to = sliceOf(targetPlace);
      if (from === to) return [];
      const isTest = isTestFile(path);
      return [{ file: path, line, folder: place.folder, isTest, from, to, target: targetPlace.inSource }];
    });
  });
}

function importProblem({ folder, isTest, from, to, target }: SliceImport): string | undefined {
  if (to === undefined) {
    return isTest ? undefined : `slice ${from} imports src/${target}: files directly under src stand above the slices`;
  }
  if (from?.startsWith("features/") && to.startsWith("features/")) {
    return `${from} imports ${to}: features never import each other`;
  }
  const isOwnFake = isTest && to === "testing";
  if (!isOwnFake && !/^index\.[jt]sx?$/.test(target.slice(to.length + 1))) {
    return `imports src/${target}: import slice ${to} through its index.ts`;
  }
  const order = sliceOrders[folder];
  if (!order || from === undefined || isOwnFake) return undefined;
  const missing = [from, to].find((slice) => !order.includes(slice));
  if (missing !== undefined) return `slice ${missing} has no place in the written order (test/house/house-plan.ts)`;
  return order.indexOf(to) > order.indexOf(from)
    ? undefined
    : `slice ${from} imports ${to}, which stands above it: imports go downhill`;
}

function sliceCycles(imports: readonly SliceImport[]): Violation[] {
  const folders = new Set(imports.map(({ folder }) => folder));
  return [...folders].flatMap((folder) => {
    const edges = new Map<string, Set<string>>();
    for (const { folder: at, from, to, isTest } of imports) {
      if (at !== folder || isTest || from === undefined || to === undefined) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
    return findCycles(edges).map((cycle) => ({
      file: `${folder}/src/${cycle[0]}`,
      message: `slices import each other in a circle: ${cycle.join(" → ")}`,
    }));
  });
}

function incompleteSlices(files: readonly ParsedFile[]): Violation[] {
  const slices = new Map<string, ParsedFile[]>();
  for (const file of files) {
    const place = placeOf(file.path);
    const slice = place && sliceOf(place);
    if (!place || slice === undefined || !/^(packages|apps)\//.test(place.folder)) continue;
    const key = `${place.folder}/src/${slice}`;
    slices.set(key, [...(slices.get(key) ?? []), file]);
  }
  return [...slices].flatMap(([slice, members]) => {
    const problems: Violation[] = [];
    if (!members.some(({ path }) => /\/index\.tsx?$/.test(path) && path.lastIndexOf("/") === slice.length)) {
      problems.push({ file: slice, message: "a slice has an index.ts that says what it offers" });
    }
    // What the service adds to a feature of the engine in its index alone is held by the tests of the surfaces.
    const joins = slice.startsWith("apps/server/src/features/") && members.length === 1;
    const runs = !joins && members.some((file) => !isTestFile(file.path) && hasBehaviour(file));
    if (runs && !members.some(({ path }) => isTestFile(path))) {
      problems.push({ file: slice, message: "a slice lies together with its tests: none is here" });
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
 * House rules 1 and 2 inside a package. A slice is a folder directly under `src` (in the console: a feature). It has an
 * index and tests; siblings are imported through their `index.ts`; where an order is written down imports go downhill,
 * everywhere they form no circle; files directly under `src` stand above all slices. Tests obey the same, except that
 * they may use the files above and any file of the `testing` slice: its index is public, its other fakes are ours.
 */
export function sliceRule(files: readonly ParsedFile[]): readonly Violation[] {
  const imports = sliceImports(files);
  const direct = imports.flatMap((found) => {
    const message = importProblem(found);
    return message === undefined ? [] : [{ file: found.file, line: found.line, message }];
  });
  return [...direct, ...sliceCycles(imports), ...incompleteSlices(files)];
}
