import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_PROJECTS = 200;

/** A project's name (F1). */
export const projectNameSchema = v.pipe(
  v.string("expected a name"),
  v.regex(NAME, "expected at most 64 letters, digits, dots, underscores and minuses, a letter or digit first"),
);

/** A project's folder as it is configured: `~` is the user's home. */
export const projectPathSchema = v.pipe(
  v.string("expected a path"),
  v.trim(),
  v.maxLength(4_096, "a path has at most 4096 characters"),
  v.regex(/^(?:\/|~(?:\/|$))[^\0]*$/, "expected an absolute path, or one that begins with ~/"),
);

/** The names are compared without case. */
export function hasUniqueNames(projects: readonly { readonly name: string }[]): boolean {
  return new Set(projects.map(({ name }) => name.toLowerCase())).size === projects.length;
}

const projectSchema = v.object({
  name: projectNameSchema,
  path: projectPathSchema,
  scm_repo: v.optional(
    v.pipe(v.string(), v.trim(), v.maxLength(200), v.regex(/^(?:[^\s/]+\/[^\s]+)?$/, "expected <owner>/<name>")),
    "",
  ),
  default_branch: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty("a branch has a name"), v.maxLength(200)), "main"),
  write: v.optional(v.boolean(), true),
  no_delete: v.optional(v.boolean(), false),
  fs: v.optional(v.boolean(), true),
});

const schema = v.optional(
  v.pipe(
    v.array(projectSchema),
    v.maxLength(MAX_PROJECTS, `expected at most ${MAX_PROJECTS} projects`),
    v.check((projects) => hasUniqueNames(projects), "two projects have the same name"),
  ),
  [],
);

export type ProjectsSectionValue = v.InferOutput<typeof schema>;

/** The section `projects`: the registry of projects (F1). A wrong value refuses (S8). */
export const projectsSection = {
  name: "projects",
  title: "Projects",
  category: "Files",
  description:
    "The folders that the agent may work in. Once there is one, these are all its file tools reach; without any, filesystem.projects counts.",
  schema,
  security: true,
  merge_by: "name",
  required: ["path"],
  fields: {
    name: { label: "Name", description: "What the agent calls the project.", type: "string" },
    path: {
      label: "Folder",
      description: "Absolute, or from ~. A folder that is missing is skipped with a warning.",
      type: "path",
      path_kind: "dir",
    },
    scm_repo: {
      label: "Repository",
      description: "`<owner>/<name>` on the code host, for the agent to know.",
      type: "string",
    },
    default_branch: { label: "Default branch", description: "The branch that work starts from.", type: "string" },
    write: { label: "Writable", description: "Off: the file tools only read.", type: "bool" },
    no_delete: { label: "No deletes", description: "delete_file is refused.", type: "bool" },
    fs: { label: "File tools", description: "Off: no file tool reaches it.", type: "bool" },
  },
  example: ["projects:", "  - name: app", "    path: ~/src/app", "    scm_repo: example/app"].join("\n"),
} as const satisfies SettingsSection;
