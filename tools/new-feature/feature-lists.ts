import type { FeatureNames } from "./feature-names.ts";

/** A list that names every feature, and the line that a new one adds. */
export interface FeatureList {
  /** From the repository's root. */
  readonly file: string;
  line(names: FeatureNames): string;
  /** Where the line goes: by the module it exports, before a line, or after a line. */
  readonly at: "sorted" | { readonly before: string } | { readonly after: string };
}

/** Every list of the repository that a feature is in. */
export const featureLists: readonly FeatureList[] = [
  {
    file: "packages/agent-core/src/host.ts",
    line: ({ kebab }) => `export * from "./${kebab}/index.ts";`,
    at: "sorted",
  },
  {
    file: "packages/operator-api/src/resources.ts",
    line: ({ camel, kebab }) => `export { ${camel} } from "./${kebab}/index.ts";`,
    at: "sorted",
  },
  {
    file: "apps/server/src/features.ts",
    line: ({ camel, kebab }) => `export { ${camel} } from "./features/${kebab}/index.ts";`,
    at: "sorted",
  },
  {
    // Not offered to MCP clients until its author decides otherwise.
    file: "apps/server/src/exposed-tools/operation-offers.ts",
    line: ({ camel, snake }) => `  ${camel}: ["${snake}.list", "${snake}.add"],`,
    at: { before: "  /** It has no end. */" },
  },
  {
    file: "apps/server/src/client-commands/commands.ts",
    line: ({ camel, kebab }) => `export { ${camel}Command } from "./commands/${kebab}.ts";`,
    at: "sorted",
  },
  {
    file: "apps/server/src/settings/sections.ts",
    line: ({ camel }) => `  core.${camel}Section,`,
    at: { before: "  instanceSection," },
  },
  {
    file: "apps/console/src/screens.ts",
    line: ({ camel, kebab }) => `export { ${camel} } from "./features/${kebab}/index.ts";`,
    at: "sorted",
  },
];

/** Returns the text of a list with one line more. @throws Error where the position in the list is not found */
export function withLine(text: string, line: string, at: FeatureList["at"]): string {
  const lines = text.split("\n");
  const index = at === "sorted" ? sortedIndex(lines, line) : besideIndex(lines, at);
  return [...lines.slice(0, index), line, ...lines.slice(index)].join("\n");
}

function besideIndex(lines: readonly string[], at: Exclude<FeatureList["at"], "sorted">): number {
  const wanted = "before" in at ? at.before : at.after;
  const index = lines.indexOf(wanted);
  if (index === -1) throw new Error(`the list has no line ${JSON.stringify(wanted)}`);
  return "before" in at ? index : index + 1;
}

/** Before the first export whose module comes later; one export may span several lines. */
function sortedIndex(lines: readonly string[], line: string): number {
  const moduleOf = (text: string): string | undefined => /from "(.+)";$/.exec(text)?.[1];
  const added = moduleOf(line) ?? "";
  let start: number | undefined;
  let end = 0;
  for (const [index, text] of lines.entries()) {
    if (text.startsWith("export ")) start ??= index;
    const from = moduleOf(text);
    if (start === undefined || from === undefined) continue;
    if (from.startsWith("./") && from > added) return start;
    start = undefined;
    end = index + 1;
  }
  return end;
}
