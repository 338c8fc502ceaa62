import { agentCoreOrder, importTable } from "../architecture/architecture-plan.ts";

/** A figure or a fact of `docs/architecture.md`, with the line of source that makes it true. */
export interface ArchitectureFact {
  /** Text of the page. */
  readonly page: string;
  readonly file: string;
  readonly source: RegExp;
}

/** The figures of the page. A new figure on the page gets its row here. */
export const architectureFacts: readonly ArchitectureFact[] = [
  { page: "2,000 streams", file: "apps/server/src/access/stream-limit.ts", source: /max = 2_000\b/ },
  {
    page: "most 100 in a context",
    file: "packages/agent-core/src/task/acceptance-limits.ts",
    source: /MAX_WAITING_PER_CONTEXT = 100;/,
  },
  { page: "50 ms", file: "packages/agent-core/src/turn/step/delta-buffer.ts", source: /COALESCE_MS = 50;/ },
  {
    page: "256 characters",
    file: "packages/agent-core/src/turn/step/delta-buffer.ts",
    source: /COALESCE_CHARS = 256;/,
  },
  { page: "up to 8 at a time", file: "packages/agent-core/src/turn/turn-limits.ts", source: /parallelCalls: 8,/ },
  { page: "longer than 10 ms", file: "packages/agent-core/src/turn/batch/tool-step.ts", source: /GRACE_MS = 10;/ },
  { page: "up to 1 MiB", file: "packages/agent-core/src/journal/journal.ts", source: /cacheBytes \?\? 1024 \* 1024/ },
  { page: "for an hour", file: "packages/agent-core/src/journal/journal.ts", source: /evictAfterMs \?\? 3_600_000/ },
  { page: "10 s more", file: "packages/agent-core/src/create-agent-core.ts", source: /graceMs = 10_000/ },
];

const scope = "@agent-service/";

function packageName(folder: string): string {
  return folder.slice(folder.indexOf("/") + 1);
}

/** The rows that the import table gives the page: a package, and the packages it may import. */
export function packageRows(): ReadonlyMap<string, readonly string[]> {
  const rows = Object.entries(importTable).map(([folder, { values, types }]) => {
    const names = [...values, ...types].map((entry) => entry.slice(scope.length).split("/")[0] ?? "");
    return [packageName(folder), [...new Set(names)].sort()] as const;
  });
  return new Map(rows);
}

/** The cells of the table of packages, as the page has it, by the package's name. */
function readPackages(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = Array.from(page.matchAll(/^\| \[`([\w-]+)`\]\([^)]*\) \| (.+) \|$/gm));
  return new Map(rows.map(([, name = "", cells = ""]) => [name, cells.split(" | ")]));
}

function quoted(cell: string | undefined): readonly string[] {
  return Array.from((cell ?? "").matchAll(/`([\w./-]+)`/g), ([, word = ""]) => word);
}

/** What each package may import, as on the page. */
export function readPackageRows(page: string): ReadonlyMap<string, readonly string[]> {
  return new Map([...readPackages(page)].map(([name, [imports]]) => [name, [...quoted(imports)].sort()]));
}

/** Names of the table's rows below a heading. */
export function readModules(page: string): readonly string[] {
  const from = page.indexOf("| Module |");
  const table = page.slice(from, page.indexOf("\n\n", from));
  return Array.from(table.matchAll(/^\| `([\w-]+)` \|/gm), ([, name = ""]) => name);
}

/** The engine's modules that exist, in their order; features are not among them. */
export function modulesThatExist(files: Iterable<string>): readonly string[] {
  const folders = new Set(Array.from(files, (file) => /^packages\/agent-core\/src\/([^/]+)\//.exec(file)?.[1]));
  return agentCoreOrder.filter((name) => folders.has(name));
}

/** The entry points that the packages' manifests export. */
export function entryPoints(files: ReadonlyMap<string, string>): readonly string[] {
  const manifests = [...files].filter(([file]) => /^(packages|apps)\/[^/]+\/package\.json$/.test(file));
  return manifests.flatMap(([, text]) => {
    const { name, exports = {} } = JSON.parse(text) as { readonly name: string; readonly exports?: object };
    return Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`);
  });
}

/** The entry points that the page names. */
export function readEntryPoints(page: string): readonly string[] {
  return [...readPackages(page)].flatMap(([name, [, entries]]) =>
    quoted(entries).map((entry) => `${scope}${name}${entry === "." ? "" : `/${entry}`}`),
  );
}
