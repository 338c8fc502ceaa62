import * as v from "valibot";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Projects";
const text = (most: number, description: string) => v.pipe(v.string(), v.maxLength(most), v.description(description));

const project = v.object({
  name: v.string(),
  path: v.pipe(v.string(), v.description("Absolute, as configured.")),
  scm_repo: v.pipe(v.string(), v.description("`<owner>/<name>` on the code host; blank where none is known.")),
  default_branch: v.string(),
  write: v.boolean(),
  no_delete: v.boolean(),
  fs: v.pipe(v.boolean(), v.description("Whether the file tools reach it.")),
  exists: v.pipe(v.boolean(), v.description("False: there is no such folder, and nothing reaches it.")),
  is_git: v.boolean(),
  source: v.pipe(
    v.picklist(["projects", "filesystem", "workspace"]),
    v.description("The section that declares it, or `workspace`: the folder that is used while none is declared."),
  ),
});

const one = json(v.object({ project }));
const created = json(v.object({ project }), 201);
const name = text(64, "Letters, digits, dots, underscores and minuses, a letter or digit first.");
const params = { name: "Of the project, without case." } as const;
const failures = {
  400: "The name or the folder cannot be one of a project.",
  409: "The name is taken, the project is declared elsewhere, or the configuration is managed elsewhere.",
} as const;

export const listProjects = defineRoute({
  name: "projects.list",
  method: "GET",
  path: "/api/projects",
  tag,
  summary: "The folders that the agent may work in, also those that are missing",
  reply: json(v.object({ projects: v.array(project) })),
});

export const addProject = defineRoute({
  name: "projects.add",
  method: "POST",
  path: "/api/projects",
  tag,
  decides: true,
  summary: "Lets the agent work in a folder of this machine",
  description: `A folder that is a project already is returned as it is. The first project that is added is not alone: what the
agent reached until then is declared with it.`,
  body: v.object({
    path: text(4_096, "Absolute, or from `~`."),
    name: v.optional(v.pipe(name, v.description("Default: the folder's."))),
    write: v.optional(v.pipe(v.boolean(), v.description("Default: `onboarding.write_default`."))),
    no_delete: v.optional(v.boolean()),
  }),
  reply: created,
  failures,
  example: { body: { path: "~/src/app", write: true } },
});

export const cloneProject = defineRoute({
  name: "projects.clone",
  method: "POST",
  path: "/api/projects/clone",
  tag,
  decides: true,
  summary: "Clones a repository and makes it a project",
  description: `Into \`onboarding.root\`, from what \`onboarding.allow\` names; at most 10 minutes and 2 GiB. Hosts that are not public must
be in \`egress.allowed_hosts\`. A clone that is there is registered as it is.`,
  body: v.object({
    repo: text(1_000, "`owner/repo` of github.com, `host[:port]/owner/repo`, or a URL of https or ssh."),
    name: v.optional(v.pipe(name, v.description("Default: the repository's."))),
    write: v.optional(v.pipe(v.boolean(), v.description("Default: `onboarding.write_default`."))),
  }),
  reply: created,
  failures: { ...failures, 502: "Git could not clone it.", 504: "Cloning took longer than 10 minutes." },
  example: { body: { repo: "example/app", write: true } },
});

export const editProject = defineRoute({
  name: "projects.edit",
  method: "PATCH",
  path: "/api/projects/{name}",
  tag,
  decides: true,
  summary: "Changes what the agent may do in a project; what is left out stays",
  body: v.object({
    write: v.optional(v.boolean()),
    no_delete: v.optional(v.boolean()),
    fs: v.optional(v.boolean()),
    scm_repo: v.optional(text(200, "`<owner>/<name>`, or blank.")),
    default_branch: v.optional(text(200, "The branch that work starts from.")),
  }),
  reply: one,
  params,
  failures: { ...failures, 404: "There is no such project." },
});

export const removeProject = defineRoute({
  name: "projects.remove",
  method: "DELETE",
  path: "/api/projects/{name}",
  tag,
  decides: true,
  summary: "Takes a project out of the list; its folder stays as it is",
  reply: json(v.object({ removed: v.boolean() })),
  params,
  failures: { ...failures, 404: "There is no such project." },
});

/** A folder that the agent may work in. */
export type ProjectRow = Frozen<v.InferOutput<typeof project>>;

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface ProjectsService {
  list(): Promise<readonly ProjectRow[]>;
  add(request: v.InferOutput<typeof addProject.body>): Promise<ProjectRow>;
  clone(request: v.InferOutput<typeof cloneProject.body>, signal: AbortSignal): Promise<ProjectRow>;
  edit(name: string, change: v.InferOutput<typeof editProject.body>): Promise<ProjectRow>;
  remove(name: string): Promise<void>;
}

export function projectsRoutes(projects: ProjectsService): readonly ServedRoute[] {
  return [
    serve(listProjects, async () => ({ projects: await projects.list() })),
    serve(addProject, async ({ body }) => ({ project: await projects.add(body) })),
    serve(cloneProject, async ({ body, signal }) => ({ project: await projects.clone(body, signal) })),
    serve(editProject, async ({ params: { name }, body }) => ({ project: await projects.edit(name, body) })),
    serve(removeProject, async ({ params: { name } }) => {
      await projects.remove(name);
      return { removed: true };
    }),
  ];
}
