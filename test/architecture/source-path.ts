/** Whether a path holds TypeScript or JavaScript. */
export function isSourceFile(path: string): boolean {
  return /\.[mc]?[jt]sx?$/.test(path) && !path.endsWith(".d.ts");
}

/** Whether a path is a test (or a type test): tests are exempt from the size rule and bound by rule 9. */
export function isTestFile(path: string): boolean {
  return /\.test(-d)?\.tsx?$/.test(path);
}

/** Whether a path is exempt from the size rule because it is generated or applied once. */
export function isGeneratedOrMigration(path: string): boolean {
  return path.includes("/migrations/") || /\.generated\.[a-z]+$/.test(path);
}

/** Where a file lies. `module` is undefined for files directly under `src`. */
export interface SourceLocation {
  /** The workspace package's folder, such as `packages/config`. */
  readonly folder: string;
  /** The path below the package's `src`, or undefined outside `src`. */
  readonly inSource: string | undefined;
  /** The folder directly under `src`. */
  readonly module: string | undefined;
}

/** Finds a path's location; undefined outside the workspace's packages, apps, examples and bench. */
export function locationOf(path: string): SourceLocation | undefined {
  const folder = /^(?:(?:packages|apps|examples)\/[^/]+|bench)(?=\/)/.exec(path)?.[0];
  if (folder === undefined) return undefined;
  const inSource = path.startsWith(`${folder}/src/`) ? path.slice(folder.length + 5) : undefined;
  const module = inSource?.includes("/") ? inSource.slice(0, inSource.indexOf("/")) : undefined;
  return { folder, inSource, module };
}

/** The path a relative specifier names, from the repository's root; undefined for any other specifier. */
export function targetOf(path: string, specifier: string | undefined): string | undefined {
  return specifier?.startsWith(".") ? new URL(specifier, `file:///${path}`).pathname.slice(1) : undefined;
}
