import * as v from "valibot";

/** A change of a file (F16). */
export const changeSchema = v.object({
  id: v.string(),
  task_id: v.pipe(v.string(), v.description("The turn that made it, or the delegated task.")),
  call_id: v.pipe(v.nullable(v.string()), v.description("The tool call that made it; null of an undo.")),
  session_id: v.string(),
  project: v.string(),
  path: v.pipe(v.string(), v.description("In the project.")),
  op: v.picklist(["create", "modify", "delete"]),
  origin: v.pipe(
    v.picklist(["tool", "command", "undo"]),
    v.description("A file tool, a command that a tool ran, or an undo of other changes."),
  ),
  additions: v.number(),
  deletions: v.number(),
  bytes: v.pipe(v.number(), v.description("Of the larger of what it held before and after.")),
  reversible: v.boolean(),
  reason: v.pipe(
    v.nullable(v.picklist(["too_large", "secret", "history_off", "expired", "link", "not_kept"])),
    v.description("Why it cannot be undone."),
  ),
  state: v.pipe(
    v.picklist(["pending", "done", "undone"]),
    v.description("`pending`: being made, or the file does not tell whether it was made."),
  ),
  current: v.pipe(
    v.picklist(["unchanged", "changed", "missing"]),
    v.description("Whether the file still is as the change left it."),
  ),
  uncertain: v.pipe(
    v.boolean(),
    v.description(
      "Of a command: another one ran in the same files, or the service went down while it ran, so something else may have made the change.",
    ),
  ),
  created_at: v.pipe(v.string(), v.description("ISO 8601.")),
});

/** A change on the wire. */
export type ChangeRow = v.InferInput<typeof changeSchema>;

const changedFileSchema = v.object({
  project: v.string(),
  path: v.string(),
  status: v.picklist(["M", "A", "D"]),
  additions: v.number(),
  deletions: v.number(),
  binary: v.boolean(),
  denied: v.pipe(v.boolean(), v.description("Its name is one of those that hold secrets: nothing of it is shown.")),
  too_large: v.pipe(v.boolean(), v.description("Too large, or too different, to be compared.")),
  reason: v.pipe(v.nullable(v.string()), v.description("Why there is no difference to show.")),
});

/** What changes came to. */
export const changesDiffSchema = v.object({
  files: v.pipe(v.array(changedFileSchema), v.description("At most 5,000; a file that is as it was is left out.")),
  patch: v.pipe(v.string(), v.description("As of `git diff`, at most 1 MiB, without known secrets.")),
  truncated: v.boolean(),
});

/** It on the wire. */
export type ChangesDiffRow = v.InferInput<typeof changesDiffSchema>;

/** What became, or would become, of one file. */
export const undoneFileSchema = v.object({
  project: v.string(),
  path: v.string(),
  result: v.pipe(
    v.picklist(["restored", "removed", "conflict", "not_reversible"]),
    v.description("`removed`: the changes had created it. Of the last two nothing was touched."),
  ),
  reason: v.pipe(
    v.optional(v.string()),
    v.description(
      "Of a conflict: `changed`, `missing`, `between` (another change lies between the chosen ones), `undone`, `pending`, or why it is not reached. Else as of a change.",
    ),
  ),
});

/** It on the wire. */
export type UndoneFileRow = v.InferInput<typeof undoneFileSchema>;
