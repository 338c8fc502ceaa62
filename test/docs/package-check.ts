import type { Violation } from "../architecture/violation.ts";
import type { Repository } from "./doc-sources.ts";
import type { Markdown } from "./markdown.ts";

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly license?: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function problemsOf(
  folder: string,
  manifest: Manifest,
  readme: Markdown | undefined,
  repository: Repository,
): string[] {
  const problems: string[] = [];
  if (!readme) problems.push("has no README.md");
  else if (readme.blocks.length === 0) problems.push("its README shows no example that runs");
  if (repository.read(`${folder}/LICENSE`) !== repository.read("LICENSE"))
    problems.push("has no LICENSE like the root's");
  if (manifest.license !== "MIT") problems.push("its package.json states no MIT license");
  if (!manifest.description) problems.push("its package.json has no description");
  if (manifest.private) return problems;
  if (!manifest.engines?.node) problems.push("its package.json states no Node versions");
  const entries = Object.entries(manifest.exports ?? {});
  if (entries.length === 0) problems.push("its package.json has no exports map");
  for (const [entry, conditions] of entries) {
    if (entry === "./package.json") continue;
    if (Object.keys(conditions).join() !== "@agent-service/source,types,default") {
      problems.push(`its entry ${entry} does not offer source, types and default, in this order`);
    }
    const source = conditions["@agent-service/source"]?.replace(/^\.\//, `${folder}/`);
    if (source !== undefined && !repository.has(source)) problems.push(`its entry ${entry} has no source at ${source}`);
  }
  return problems;
}

/**
 * Every package and app has a README with an example, the licence, a description and, where it is published, an exports
 * map with types; and a changeset or a change log names it.
 */
export function packageCheck(
  folders: readonly string[],
  documents: readonly Markdown[],
  repository: Repository,
  changesets: readonly string[],
): readonly Violation[] {
  return folders.flatMap((folder) => {
    const manifest = JSON.parse(repository.read(`${folder}/package.json`) ?? "{}") as Manifest;
    const readme = documents.find(({ path }) => path === `${folder}/README.md`);
    const problems = problemsOf(folder, manifest, readme, repository);
    const isNamed =
      changesets.some((text) => text.includes(`"${manifest.name}":`)) || repository.has(`${folder}/CHANGELOG.md`);
    if (!manifest.private && !isNamed) problems.push("no changeset and no change log names it");
    return problems.map((message) => ({ file: folder, message }));
  });
}
