import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** A JavaScript file of the bundler's output. */
export interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly isEntry: boolean;
  /** The module whose import made it a file of its own; null for code that several share. */
  readonly facadeModuleId: string | null;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

/** The compressed size of a part of the console. */
export interface PartSize {
  readonly name: string;
  /** Bytes after gzip of all files that it needs and that neither the first page nor what asks for it has loaded. */
  readonly bytes: number;
  /** Maximum bytes after gzip; undefined for what may be larger because it is loaded on first use. */
  readonly limit: number | undefined;
}

/** The most that the first page may load before it shows something. */
export const INITIAL_LIMIT = 180_000;
/** The most that a screen may load beyond that. */
export const LAZY_LIMIT = 60_000;

/** Modules that `main.tsx` imports at once, before the first screen. */
export const AT_START = /\/src\/(shell\/index|screens)\.tsx?$/;
/** Markdown and the highlighting of code: as large as they are, and loaded when the first answer is shown. */
const ON_FIRST_USE = /\/src\/markdown\//;
/** A screen keeps its limit, also where code that is loaded on first use shares a file with it. */
const SCREEN = /\/src\/features\//;

function beyond(files: Iterable<string>, loaded: readonly ReadonlySet<string>[]): readonly string[] {
  return [...files].filter((file) => !loaded.some((one) => one.has(file)));
}

/** Measures the first page and each lazy part of a build. */
export function measureParts(chunks: readonly Chunk[]): readonly PartSize[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizes = new Map(chunks.map(({ fileName, code }) => [fileName, gzipSync(code).length]));
  const closure = (roots: Iterable<string>, follow: (chunk: Chunk) => readonly string[]): Set<string> => {
    const reached = new Set<string>();
    const open = [...roots];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const chunk = byName.get(name);
      if (chunk === undefined || reached.has(name)) continue;
      reached.add(name);
      open.push(...follow(chunk));
    }
    return reached;
  };
  const namesOf = (some: readonly Chunk[]): string[] => some.map(({ fileName }) => fileName);
  const loadedWith = (roots: Iterable<string>): Set<string> => closure(roots, ({ imports }) => imports);
  const sum = (names: Iterable<string>): number => [...names].reduce((all, name) => all + (sizes.get(name) ?? 0), 0);

  const first = chunks.filter(
    ({ isEntry, fileName, facadeModuleId }) =>
      (isEntry && !fileName.startsWith("frames/")) || AT_START.test(facadeModuleId ?? ""),
  );
  const initial = loadedWith(namesOf(first));
  const large = chunks.filter(({ facadeModuleId }) => ON_FIRST_USE.test(facadeModuleId ?? ""));
  // Files shared with the first page do not count for a screen.
  const onFirstUse = closure(namesOf(large), ({ fileName, imports, dynamicImports }) =>
    initial.has(fileName) ? [] : [...imports, ...dynamicImports],
  );
  const lazy = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports).filter((name) => !initial.has(name)));
  /** What is on the page, whichever way it came to ask for this part. */
  const loadedBefore = (name: string): Set<string> => {
    const ways = chunks.filter(({ dynamicImports }) => dynamicImports.includes(name));
    const loaded = ways.map(({ fileName }) => loadedWith([fileName]));
    return new Set([...(loaded[0] ?? [])].filter((file) => loaded.every((one) => one.has(file))));
  };
  const parts = [...lazy].map((name) => ({
    name,
    bytes: sum(beyond(loadedWith([name]), [initial, loadedBefore(name)])),
    limit: onFirstUse.has(name) && !SCREEN.test(byName.get(name)?.facadeModuleId ?? "") ? undefined : LAZY_LIMIT,
  }));
  return [
    { name: "first page", bytes: sum(initial), limit: INITIAL_LIMIT },
    ...parts.toSorted((a, b) => b.bytes - a.bytes),
  ];
}

/** A line for each part: bytes, limit, name. */
export function reportLines(parts: readonly PartSize[]): readonly string[] {
  return parts.map(({ name, bytes, limit }) => {
    const share = limit === undefined ? "on first use" : `of ${limit / 1_000} kB${bytes > limit ? ", too much" : ""}`;
    return `${(bytes / 1_000).toFixed(1).padStart(7)} kB gzip ${share.padEnd(20)} ${name}`;
  });
}

/** Prints at the end of a build the size of each part of the console, and fails the build where one is too large. */
export function sizeReport(): Plugin {
  return {
    name: "size-report",
    apply: "build",
    generateBundle(_, bundle) {
      const parts = measureParts(Object.values(bundle).filter((one) => one.type === "chunk"));
      const tooLarge = parts.filter(({ bytes, limit }) => limit !== undefined && bytes > limit);
      const { logger } = this.environment;
      logger.info(`\n${reportLines(parts).join("\n")}`);
      if (tooLarge.length > 0) {
        this.error(`JavaScript of the console is too large:\n${reportLines(tooLarge).join("\n")}`);
      }
    },
  };
}
