import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Fence, ListedEntry } from "../fence/index.ts";
import { fileArguments, type IsCloned, OF_FILES, pathArgument, projectArgument } from "./path-arguments.ts";

const MAX_ENTRIES = 1_000;
/** Entries of a folder that are looked at to find the first ones by name. */
const MAX_LOOKED_AT = 20_000;

/** `list_dir(path='.', project?, hidden=false)` (F6). Folders first, each by name. */
export function listDir(fence: Fence, isCloned: IsCloned): AnyTool {
  return defineTool({
    name: "list_dir",
    description: "List a folder of a project.",
    input: fileArguments({
      path: v.optional(pathArgument, "."),
      project: projectArgument,
      hidden: v.optional(v.pipe(v.boolean(), v.description("Also names that begin with a dot.")), false),
    }),
    effect: "pure",
    ...OF_FILES,
    present: { asks: "List {path}?", doing: "Listing {path}", done: "Listed {path}" },
    async run({ path, project, hidden }, { fromOutside }) {
      const located = await fence.open({ path: path === "" ? "." : path, project, for: "list" });
      try {
        if (isCloned(located.absolute)) fromOutside();
        const { entries, truncated } = await located.list(MAX_LOOKED_AT);
        return shown(entries, { hidden, truncated });
      } finally {
        await located.close();
      }
    },
  });
}

function shown(
  entries: readonly ListedEntry[],
  { hidden, truncated }: { readonly hidden: boolean; readonly truncated: boolean },
): string {
  const wanted = entries.filter(({ name }) => hidden || !name.startsWith("."));
  const rank = ({ kind }: ListedEntry): number => (kind === "folder" ? 0 : 1);
  const sorted = wanted.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  const notes: string[] = [];
  const leftOut = entries.length - wanted.length;
  if (leftOut > 0) notes.push(`${leftOut} hidden left out`);
  if (sorted.length > MAX_ENTRIES) notes.push(`${sorted.length - MAX_ENTRIES} more are not shown`);
  if (truncated) notes.push(`only the first ${MAX_LOOKED_AT} entries were looked at`);
  const lines = sorted.slice(0, MAX_ENTRIES).map(lineOf);
  if (lines.length === 0) lines.push("The folder is empty.");
  return [...lines, ...(notes.length === 0 ? [] : [`[${notes.join("; ")}]`])].join("\n");
}

function lineOf({ name, kind, readable }: ListedEntry): string {
  const shownName = /[\p{Cc}\n]/u.test(name) ? JSON.stringify(name) : name;
  const what = kind === "folder" ? "/" : kind === "link" ? " (link)" : kind === "other" ? " (no regular file)" : "";
  return `${shownName}${what}${readable ? "" : " (its name is not UTF-8: it cannot be opened)"}`;
}
