import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Fence } from "../fence/index.ts";
import { openTree } from "./open-tree.ts";
import { clamped, fileArguments, type IsCloned, OF_FILES, pathArgument, projectArgument } from "./path-arguments.ts";
import { findingsText, SEARCH_SECONDS } from "./tree-notes.ts";
import type { TreeThreads } from "./tree-threads.ts";

/** `find_files(pattern, path='.', project?, include_ignored=false, limit=200)` (F6, F7). */
export function findFiles(fence: Fence, threads: Pick<TreeThreads, "run">, isCloned: IsCloned): AnyTool {
  return defineTool({
    name: "find_files",
    description: "Find files by glob, the newest first.",
    input: fileArguments({
      pattern: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000), v.description("For example *.ts or src/**/*.md.")),
      path: v.optional(pathArgument, "."),
      project: projectArgument,
      include_ignored: v.optional(v.pipe(v.boolean(), v.description("Also what .gitignore names.")), false),
      limit: v.optional(clamped(1, 1_000), 200),
    }),
    effect: "pure",
    ...OF_FILES,
    present: { asks: "Find {pattern}?", doing: "Finding {pattern}", done: "Looked for {pattern}" },
    async run({ pattern, path, project, include_ignored, limit }, { signal, fromOutside }) {
      const tree = await openTree(fence, { project, path, includeIgnored: include_ignored });
      try {
        if (isCloned(tree.start.real)) fromOutside();
        const job = {
          kind: "find",
          start: tree.start,
          glob: pattern,
          limit,
          deadlineMs: SEARCH_SECONDS * 1_000,
        } as const;
        return findingsText(await threads.run(job, signal), limit);
      } finally {
        await tree.close();
      }
    },
  });
}
