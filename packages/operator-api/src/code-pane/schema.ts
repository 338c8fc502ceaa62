import * as v from "valibot";
import type { Frozen } from "../route/index.ts";

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

export const filePageSchema = v.object({
  project: v.string(),
  path: v.string(),
  size: v.pipe(whole, v.description("Bytes of the file.")),
  line_count: v.pipe(whole, v.description("Of the file; a line ends at `\\n`. 0 for a binary one.")),
  start: v.pipe(v.number(), v.integer(), v.description("The first line, from 1.")),
  end: v.pipe(whole, v.description("The last line; 0 for an empty file.")),
  truncated: v.pipe(
    v.boolean(),
    v.description("Lines were left out at the end, or shortened. Read on with `start = end + 1` up to `line_count`."),
  ),
  language: v.pipe(v.nullable(v.string()), v.description("By the name, for highlighting.")),
  binary: v.boolean(),
  text: v.pipe(v.nullable(v.string()), v.description("Null for a binary file.")),
});

const lines = v.pipe(
  v.nullable(whole),
  v.description("Null where lines are not counted: denied, binary, too large, not read."),
);

const diffFileSchema = v.object({
  path: v.string(),
  old_path: v.optional(v.pipe(v.string(), v.description("Before it was renamed."))),
  status: v.pipe(v.picklist(["M", "A", "D", "R", "?"]), v.description("`?` is not tracked.")),
  additions: lines,
  deletions: lines,
  binary: v.boolean(),
  denied: v.pipe(
    v.boolean(),
    v.description("Its name, old or new, says that it holds secrets: nothing of it is shown."),
  ),
  too_large: v.optional(v.boolean()),
  reason: v.optional(v.pipe(v.string(), v.description("Why nothing of it is shown."))),
});

export const projectDiffSchema = v.object({
  project: v.string(),
  is_git: v.boolean(),
  reason: v.optional(v.pipe(v.string(), v.description("Why a repository cannot be read; `is_git` is false then."))),
  head: v.pipe(v.nullable(v.string()), v.description("The commit; null before the first.")),
  branch: v.pipe(v.nullable(v.string()), v.description("Null where a commit and no branch is checked out.")),
  files: v.array(diffFileSchema),
  patch: v.pipe(v.string(), v.description("In git's form, paths from the project's folder.")),
  truncated: v.boolean(),
});

/** Lines of a file of a project. */
export type FilePage = Frozen<v.InferOutput<typeof filePageSchema>>;

/** What a project's files differ in from its last commit. */
export type ProjectDiff = Frozen<v.InferOutput<typeof projectDiffSchema>>;
