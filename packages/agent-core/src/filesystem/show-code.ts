import { type AnyTool, defineTool, toolResult } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Fence } from "../fence/index.ts";
import { clamped, fileArguments, pathArgument, projectArgument } from "./path-arguments.ts";
import { readLines } from "./read-lines.ts";

const MAX_NOTE_CHARS = 1_000;

const lineArgument = v.optional(clamped(1, Number.MAX_SAFE_INTEGER));

/**
 * `show_code(path, project?, start?, end?, note?)` (F6): lines of a file, shown in the operator's code pane. The
 * component says where they are and holds nothing of the file (F27): whoever may see them reads them through the fence.
 */
export function showCode(fence: Fence): AnyTool {
  return defineTool({
    name: "show_code",
    description: "Show lines of a file to the operator, beside the chat.",
    input: fileArguments({
      path: pathArgument,
      project: projectArgument,
      start: lineArgument,
      end: lineArgument,
      note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(MAX_NOTE_CHARS)), ""),
    }),
    effect: "pure",
    // Of a subagent's task no component is shown in the conversation.
    availableTo: ["lead"],
    content: "own",
    present: { asks: "Show {path}?", doing: "Showing {path}", done: "Showed {path}" },
    async run({ path, project, start, end, note }, { signal }) {
      await using located = await fence.open({ path, project, for: "read" });
      await using file = await located.openFile();
      const first = start ?? 1;
      const lines = await readLines(file, { offset: first, limit: 1, maxChars: 1, maxLineChars: 1 }, signal);
      if (lines.kind === "binary") throw new Error(`${JSON.stringify(path)} is no text: it cannot be shown.`);
      if (start !== undefined && lines.lines.length === 0 && lines.total !== undefined)
        throw new Error(`${JSON.stringify(path)} has only ${lines.total} ${lines.total === 1 ? "line" : "lines"}.`);
      const last = end === undefined ? undefined : Math.max(first, end);
      const place = { project: located.named.name, path: located.pathInNamed };
      return toolResult({
        text: `Shown: ${place.path} of ${place.project}${rangeText(start, last)}.`,
        component: {
          component: "code",
          props: { ...place, start: start ?? (last === undefined ? null : first), end: last ?? null, note },
        },
      });
    },
  });
}

function rangeText(start: number | undefined, end: number | undefined): string {
  if (end === undefined) return start === undefined ? "" : `, from line ${start}`;
  return start === end ? `, line ${end}` : `, lines ${start ?? 1} to ${end}`;
}
