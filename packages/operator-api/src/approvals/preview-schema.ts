import * as v from "valibot";

const path = v.pipe(v.string(), v.description("Within its project, as the call names it."));

/** The forms of what a call would do (F28). */
const shownSchemas = [
  v.object({
    kind: v.literal("command"),
    argv: v.pipe(v.array(v.string()), v.minLength(1), v.description("Token by token, as it would be executed.")),
    shell: v.pipe(v.boolean(), v.description("It runs through a shell.")),
    project: v.string(),
    cwd: v.pipe(v.string(), v.description("The folder it runs in.")),
    network: v.boolean(),
    sandbox: v.pipe(v.nullable(v.string()), v.description("The sandbox it runs in; null: in none.")),
    env: v.pipe(v.array(v.string()), v.description("Names of the environment variables it is given.")),
    timeout: v.pipe(v.number(), v.description("Seconds.")),
    note: v.optional(v.pipe(v.string(), v.description("What else a person should know."))),
  }),
  v.object({
    kind: v.literal("diff"),
    files: v.array(v.object({ path, additions: v.number(), deletions: v.number() })),
    patch: v.pipe(v.string(), v.description("A unified diff.")),
  }),
  v.object({ kind: v.literal("delete"), path, bytes: v.number() }),
  v.object({
    kind: v.literal("register"),
    path: v.pipe(v.string(), v.description("The folder, by its real path.")),
    is_git: v.boolean(),
    origin: v.pipe(v.nullable(v.string()), v.description("Where the repository was cloned from.")),
    write: v.boolean(),
  }),
  v.object({
    kind: v.literal("code"),
    language: v.pipe(v.string(), v.description("For highlighting.")),
    code: v.string(),
  }),
] as const;

const changed_since = v.pipe(
  v.boolean(),
  v.description("What the call would change is another than when the call was asked about."),
);
const [command, diff, deletion, register, code] = shownSchemas;
const none = v.object({
  kind: v.pipe(v.literal("none"), v.description("There is nothing to see beside the arguments.")),
});

/** The answer of `GET /api/approvals/{id}/preview`. */
export const previewSchema = v.variant("kind", [
  command,
  v.object({ ...diff.entries, changed_since }),
  v.object({ ...deletion.entries, changed_since }),
  register,
  code,
  none,
]);

export type ShownPreview = v.InferOutput<typeof previewSchema>;

/** A tool's preview in the form of the API; `none` where it fits no form. */
export function shownPreview(made: unknown, isChanged: boolean): ShownPreview {
  const read = v.safeParse(v.variant("kind", shownSchemas), made);
  if (!read.success) return { kind: "none" };
  const { output } = read;
  return output.kind === "diff" || output.kind === "delete" ? { ...output, changed_since: isChanged } : output;
}
