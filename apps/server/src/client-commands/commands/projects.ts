import { resolve } from "node:path";
import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns } from "../terminal-text.ts";

type Project = AnswerOf<Extract<OperatorDefinition, { readonly name: "projects.list" }>>["projects"][number];

/** What the agent may do in a project, from the least to the most. */
const ACCESS = {
  none: { fs: false, write: false, no_delete: false },
  read: { fs: true, write: false, no_delete: false },
  keep: { fs: true, write: true, no_delete: true },
  write: { fs: true, write: true, no_delete: false },
} as const;
type Access = keyof typeof ACCESS;
const WORDS: Readonly<Record<Access, string>> = {
  none: "no access",
  read: "read only",
  keep: "may write, not delete",
  write: "may write",
};

/** `agent-service projects`. */
export const projectsCommand: ClientCommand = {
  name: "projects",
  order: 82,
  summary: "The folders that the agent may work in",
  usage: `agent-service projects [list]
agent-service projects add <folder>      lets the agent work in a folder of the service's machine
agent-service projects clone <repo>      clones a repository: owner/repo, host/owner/repo or a URL
agent-service projects set <name>        changes what the agent may do in it
agent-service projects remove <name>     takes it out of the list; its folder stays

  --name <name>       with add and clone: default the folder's
  --access <access>   read, keep (may write, not delete), write; with set also none;
                      default for new ones: onboarding.write_default
  --repo <repo>       with set: owner/name on the code host
  --branch <branch>   with set: the one that work starts from
`,
  options: {
    name: { type: "string" },
    access: { type: "string" },
    repo: { type: "string" },
    branch: { type: "string" },
  },
  async run(context) {
    const [verb = "list"] = context.positionals;
    const known = VERBS[verb];
    if (known === undefined) throw usage(`projects takes list, add, clone, set or remove, not ${JSON.stringify(verb)}`);
    return known(context);
  },
};

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  list: listProjects,
  add: addProject,
  clone: cloneProject,
  set: setProject,
  remove: removeProject,
});

async function listProjects({
  api,
  flags,
  io,
  json,
  positionals,
  write,
  writeJson,
  note,
}: CommandContext): Promise<ExitCode> {
  refuseArguments("projects list", positionals.slice(1));
  refuseFlags({ flags }, "list", ["name", "access", "repo", "branch"]);
  const { projects } = await api.get("/api/projects");
  if (json) writeJson({ projects });
  else if (projects.length === 0) note("The agent reaches no folder: agent-service projects add <folder>\n");
  else write(columns(["PROJECT", "ACCESS", "FOLDER", "FROM", ""], projects.map(cellsOf), io.stdout));
  return EXIT.ok;
}

function cellsOf(project: Project): string[] {
  const { name, path, source, exists, scm_repo: repo, is_git: isGit } = project;
  const from = repo === "" ? (isGit ? "git" : "") : repo;
  const remarks = [
    ...(exists ? [] : ["folder is missing"]),
    ...(source === "projects" ? [] : [`by ${declared(source)}`]),
  ];
  return [name, WORDS[accessOf(project)], path, from, remarks.join(", ")];
}

function declared(source: "filesystem" | "workspace"): string {
  return source === "workspace" ? "default, until one is added" : "filesystem.projects";
}

function accessOf({ fs, write, no_delete: keeps }: Pick<Project, "fs" | "write" | "no_delete">): Access {
  if (!fs) return "none";
  if (!write) return "read";
  return keeps ? "keep" : "write";
}

async function addProject(context: CommandContext): Promise<ExitCode> {
  const { api, flags } = context;
  const [folder = ""] = positionalsOf(context, "the path of a folder");
  refuseFlags(context, "add", ["repo", "branch"]);
  const access = choiceFlag(flags, "access", ["read", "keep", "write"]);
  const body = {
    path: pathOf(folder),
    ...nameOf(context),
    ...(access && { write: ACCESS[access].write, no_delete: ACCESS[access].no_delete }),
  };
  const { project } = await api.post("/api/projects", { body });
  return show(context, project, "The agent may work in");
}

/** As the shell shows it: relative to where the command was called. `~` is the service's user. */
function pathOf(folder: string): string {
  return /^~(?:\/|$)/.test(folder) ? folder : resolve(folder);
}

async function cloneProject(context: CommandContext): Promise<ExitCode> {
  const { api, flags, note } = context;
  const [repo = ""] = positionalsOf(context, "a repository");
  refuseFlags(context, "clone", ["repo", "branch"]);
  const access = choiceFlag(flags, "access", ["read", "keep", "write"]);
  note(`Cloning ${clean(repo)} …\n`);
  const body = { repo, ...nameOf(context), ...(access && { write: ACCESS[access].write }) };
  const { project } = await api.post("/api/projects/clone", { body });
  const keeps = access === "keep" && project.write && !project.no_delete;
  const { project: kept } = keeps
    ? await api.patch("/api/projects/{name}", { params: { name: project.name }, body: { no_delete: true } })
    : { project };
  return show(context, kept, "The agent may work in");
}

async function setProject(context: CommandContext): Promise<ExitCode> {
  const { api, flags } = context;
  const [name = ""] = positionalsOf(context, "the name of a project");
  refuseFlags(context, "set", ["name"]);
  const access = choiceFlag(flags, "access", ["none", "read", "keep", "write"]);
  const repo = textFlag(flags, "repo");
  const branch = textFlag(flags, "branch");
  const body = {
    ...(access && ACCESS[access]),
    ...(repo !== undefined && { scm_repo: repo }),
    ...(branch !== undefined && { default_branch: branch }),
  };
  if (Object.keys(body).length === 0) throw usage("projects set takes --access, --repo or --branch");
  const { project } = await api.patch("/api/projects/{name}", { params: { name }, body });
  return show(context, project, "Saved:");
}

async function removeProject(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a project");
  refuseFlags(context, "remove", ["name", "access", "repo", "branch"]);
  const removed = await api.delete("/api/projects/{name}", { params: { name } });
  if (json) writeJson(removed);
  else write(`The agent does not work in ${clean(name)} any more. Its folder stays.\n`);
  return EXIT.ok;
}

function nameOf({ flags }: CommandContext): { readonly name?: string } {
  const name = textFlag(flags, "name");
  return name === undefined ? {} : { name };
}

/** A flag that would do nothing is a mistake. */
function refuseFlags({ flags }: Pick<CommandContext, "flags">, verb: string, names: readonly string[]): void {
  const given = names.find((name) => textFlag(flags, name) !== undefined);
  if (given !== undefined) throw usage(`projects ${verb} takes no --${given}`);
}

function show({ json, write, writeJson }: CommandContext, project: Project, text: string): ExitCode {
  if (json) writeJson({ project });
  else write(`${text} ${project.name}: ${clean(project.path)} (${WORDS[accessOf(project)]})\n`);
  return EXIT.ok;
}
