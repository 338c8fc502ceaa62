import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Fence } from "../fence/index.ts";
import { openTree } from "./open-tree.ts";
import { clamped, fileArguments, type IsCloned, OF_FILES, pathArgument, projectArgument } from "./path-arguments.ts";
import { findingsText, SEARCH_SECONDS } from "./tree-notes.ts";
import { TreeSearchError, type TreeThreads } from "./tree-threads.ts";

/**
 * `search_files(pattern, path='.', project?, glob?, regex=true, ignore_case=false, context_lines=0, output='content',
 * include_ignored=false, limit=200)` (F6, F7).
 */
export function searchFiles(fence: Fence, threads: Pick<TreeThreads, "run">, isCloned: IsCloned): AnyTool {
  return defineTool({
    name: "search_files",
    description: "Search the text of files, line by line.",
    input: fileArguments({
      pattern: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000), v.description("A JavaScript regular expression.")),
      path: v.optional(pathArgument, "."),
      project: projectArgument,
      glob: v.optional(v.pipe(v.string(), v.maxLength(1_000), v.description("Only these files.")), ""),
      regex: v.optional(v.pipe(v.boolean(), v.description("false: the pattern is plain text.")), true),
      ignore_case: v.optional(v.boolean(), false),
      context_lines: v.optional(clamped(0, 20), 0),
      output: v.optional(v.picklist(["content", "files", "count"]), "content"),
      include_ignored: v.optional(v.boolean(), false),
      limit: v.optional(clamped(1, 1_000), 200),
    }),
    effect: "pure",
    ...OF_FILES,
    present: { asks: "Search for {pattern}?", doing: "Searching for {pattern}", done: "Searched for {pattern}" },
    async run(
      { path, project, include_ignored, glob, output, limit, context_lines, ...wanted },
      { signal, fromOutside },
    ) {
      const expression = expressionOf(wanted);
      const tree = await openTree(fence, { project, path, includeIgnored: include_ignored });
      try {
        if (isCloned(tree.start.real)) fromOutside();
        const deadlineMs = SEARCH_SECONDS * 1_000;
        const { start } = tree;
        const context = context_lines;
        const job = { kind: "search", start, ...expression, glob, output, limit, context, deadlineMs } as const;
        return findingsText(await threads.run(job, signal), limit);
      } finally {
        await tree.close();
      }
    },
  });
}

interface Wanted {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignore_case: boolean;
}

/** The expression as a thread makes it. An expression without signs is plain text, which is found faster. */
function expressionOf({ pattern: given, regex, ignore_case }: Wanted) {
  // Other engines say at its beginning that case does not matter.
  const inline = regex && given.startsWith("(?i)");
  const pattern = inline ? given.slice(4) : given;
  const flags = `${ignore_case || inline ? "i" : ""}${regex && /\\[pP]\{/.test(pattern) ? "u" : ""}`;
  const literal = !regex || !/[\\^$.*+?()[\]{}|]/.test(pattern);
  if (!literal) {
    try {
      new RegExp(pattern, flags);
    } catch (error) {
      throw new TreeSearchError("search.bad-pattern", (error as Error).message);
    }
  }
  return { pattern, flags, literal };
}
