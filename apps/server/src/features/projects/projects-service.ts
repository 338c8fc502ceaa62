/** Projects as operators list and change them; a change is a save of the section `projects` (F2, F22). */
import { statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type Fence, findRepository, type Project } from "@agent-service/agent-core/host";
import { expandHome, type SettingEdit } from "@agent-service/config";
import { Problem, type ProjectRow, type ProjectsService } from "@agent-service/operator-api";
import { createOneAtATime, type ServerSettings, type SettingsSaver } from "../../settings/index.ts";

type NewProject = Parameters<ProjectsService["add"]>[0] & { readonly scm_repo?: string | undefined };

/** Registers projects for the agent's tools, too: a clone says where it comes from. */
export interface ProjectRegistrar extends Omit<ProjectsService, "clone"> {
  add(request: NewProject): Promise<ProjectRow>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function projectsService(
  fence: Pick<Fence, "projects">,
  saver: SettingsSaver,
  settings: Pick<ServerSettings, "filesystem" | "projects" | "onboarding">,
): ProjectRegistrar {
  const one = createOneAtATime();
  const requireOn = (): void => {
    if (!settings.filesystem.enabled) throw new Problem(503, "The file tools are off: filesystem.enabled.");
  };
  const find = (name: string): Project => {
    const wanted = name.toLowerCase();
    const project = fence.projects.all.find((candidate) => candidate.name.toLowerCase() === wanted);
    if (project === undefined) throw new Problem(404, `There is no project ${name}.`);
    return project;
  };
  const findRegistered = (name: string): Project => {
    const project = find(name);
    if (project.source === "projects") return project;
    const where = project.source === "filesystem" ? "filesystem.projects" : "no setting: it is the workspace";
    throw new Problem(409, `${project.name} is declared by ${where}. Add a project first; it is registered then, too.`);
  };

  async function register({ path: given, name, write, no_delete, scm_repo }: NewProject): Promise<ProjectRow> {
    requireOn();
    const path = folderAt(given);
    const known = await projectAtFolder(fence.projects.all, path);
    if (known !== undefined) return rowOf(known);
    const { all } = fence.projects;
    const chosen = name ?? freeName(basename(path), all);
    if (!NAME.test(chosen)) throw new Problem(400, `${JSON.stringify(chosen)} cannot be the name of a project.`);
    if (all.some((project) => project.name.toLowerCase() === chosen.toLowerCase()))
      throw new Problem(409, `There is a project ${chosen} already.`);
    const before = settings.projects.length > 0 ? [] : all.flatMap(editsOfFormer);
    const fields = { path, scm_repo, write: write ?? settings.onboarding.write_default, no_delete: no_delete ?? false };
    await saver.save([...before, ...editsOf(chosen, fields)]);
    return rowOf(find(chosen));
  }

  return {
    list: async () => Promise.all(fence.projects.all.map(rowOf)),
    add: (request) => one(() => register(request)),
    edit: (name, change) =>
      one(async () => {
        const { name: known } = findRegistered(name);
        await saver.save(editsOf(known, change));
        return rowOf(find(known));
      }),
    remove: (name) =>
      one(async () => {
        const { name: known } = findRegistered(name);
        await saver.save([{ section: "projects", entry: known, value: undefined }]);
      }),
  };
}

/** @throws Problem 400 */
function folderAt(given: string): string {
  if (given.includes("\0") || !/^(?:\/|~(?:\/|$))/.test(given))
    throw new Problem(400, "The path must be absolute, or begin with ~/.");
  const path = resolve(expandHome(given));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Problem(400, `There is no folder ${path}.`);
  return path;
}

async function projectAtFolder(all: readonly Project[], path: string): Promise<Project | undefined> {
  const real = await realpath(path);
  return all.find((project) => project.root === real);
}

function freeName(folder: string, all: readonly Project[]): string {
  const wanted = folder.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const base = wanted.slice(0, 60) || "project";
  const taken = new Set(all.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** What was declared elsewhere until now, or was there without: it stays a project (F2). */
function editsOfFormer({ name, path, write, noDelete }: Project): readonly SettingEdit[] {
  return editsOf(name, { path, write, no_delete: noDelete });
}

function editsOf(entry: string, fields: { readonly [key: string]: unknown }): readonly SettingEdit[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [{ section: "projects", entry, key, value }],
  );
}

async function rowOf({
  name,
  path,
  root,
  write,
  noDelete,
  fs,
  scmRepo,
  defaultBranch,
  source,
}: Project): Promise<ProjectRow> {
  // The registry knows the folder as it was when it was looked for; it may be gone by now.
  const exists = root !== undefined && (await isFolder(root));
  return {
    ...{ name, path, scm_repo: scmRepo, default_branch: defaultBranch, write, no_delete: noDelete, fs, source, exists },
    is_git: exists && (await isRepository(root)),
  };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function isRepository(root: string): Promise<boolean> {
  return (await findRepository(root).catch(() => undefined)) !== undefined;
}
