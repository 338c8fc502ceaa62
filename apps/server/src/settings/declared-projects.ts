/** The projects that the settings declare (F1), and the places that no file tool reaches (FE4). */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isStoreServer, type ProjectDeclaration, rootProblem } from "@agent-service/agent-core/host";
import {
  type ConfigValues,
  describeProvenance,
  expandHome,
  type Provenance,
  resolveStore,
  type ServicePaths,
} from "@agent-service/config";
import { checkoutRoot, StartupError, serverPackage } from "../cli/index.ts";
import type { SECTIONS } from "./sections.ts";

export interface DeclaredProjects {
  /** Empty while the file tools are off. */
  readonly projects: readonly ProjectDeclaration[];
  /** The folder that is used where none is declared. It is made when it is used. */
  readonly workspace: string;
  /** Absolute paths of what is protected. */
  readonly places: readonly string[];
}

interface DeclaringSettings {
  readonly values: Pick<ConfigValues<typeof SECTIONS>, "projects" | "filesystem" | "instance">;
  readonly provenance: ReadonlyMap<string, Provenance>;
  readonly paths: ServicePaths;
  /** `SVC_WORKSPACE`. */
  readonly workspace: string | undefined;
  /** Folders of the service's own: what files held before they were changed, summaries of conversations. */
  readonly folders: readonly string[];
  /** Files or addresses. */
  readonly stores: readonly string[];
  readonly userHome: string | undefined;
  /** Gets a line for each folder that is missing. */
  readonly warnings: string[];
}

/** @throws StartupError config-invalid for a folder that cannot be a project (S8) */
export function declaredProjects(settings: DeclaringSettings): DeclaredProjects {
  const { values, userHome, warnings } = settings;
  const usual = resolveStore("/sandbox/workspace", {
    paths: settings.paths,
    instance: values.instance.id,
    from: { layer: "default" },
  });
  const { workspace: named } = settings;
  const workspace = named === undefined ? usual : resolve(expandHome(named, userHome));
  const workspaces = [usual, workspace];
  const places = protectedPlaces(settings);
  const check = (key: string, path: string): void => {
    const problem = rootProblem(path, places, workspaces);
    if (problem === undefined) {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
        warnings.push(`${whereIs(settings, key)}: ${path} is no folder, skipped`);
      return;
    }
    throw new StartupError("config-invalid", `${whereIs(settings, key)}: ${path}: ${problem}`);
  };
  if (!values.filesystem.enabled) return { projects: [], workspace, places };
  const registered = values.projects.map(({ name, path, scm_repo, default_branch, no_delete, write, fs }) => {
    const declared = {
      name,
      path: resolve(expandHome(path, userHome)),
      scmRepo: scm_repo,
      defaultBranch: default_branch,
    };
    check(`projects.${name}.path`, declared.path);
    return { ...declared, write, noDelete: no_delete, fs, source: "projects" as const };
  });
  if (registered.length > 0) return { projects: registered, workspace, places };
  const listed = values.filesystem.projects.map(({ name, path, write, no_delete }) => {
    const absolute = resolve(expandHome(path, userHome));
    check("filesystem.projects", absolute);
    return { name, path: absolute, write, noDelete: no_delete, source: "filesystem" as const };
  });
  if (listed.length > 0) return { projects: listed, workspace, places };
  const problem = rootProblem(workspace, places, workspaces);
  if (problem !== undefined)
    throw new StartupError("config-invalid", `environment variable SVC_WORKSPACE: ${workspace}: ${problem}`);
  return { projects: [{ name: "workspace", path: workspace, source: "workspace" }], workspace, places };
}

function whereIs({ provenance }: DeclaringSettings, key: string): string {
  const from = provenance.get(key);
  return from === undefined || from.layer === "default" ? key : `${describeProvenance(from)}: ${key}`;
}

function protectedPlaces(settings: DeclaringSettings): readonly string[] {
  const { paths, stores, folders } = settings;
  const files = stores.filter((store) => store !== "" && !isStoreServer(store)).map((file) => resolve(file));
  const kept = files.flatMap((file) => placesOfStore(file, settings));
  return [...new Set([paths.home, paths.configDir, ...folders, ...kept, ...programFolders()])];
}

/** What SQLite puts beside a store. */
const BESIDE = ["", "-wal", "-shm", "-journal"];

/**
 * A store's folder, which is its own as a rule. One that holds the user's home is not: nothing below it could be a project,
 * and what lies there is the user's. There the store's own files are protected, also those that are not there yet.
 */
function placesOfStore(
  file: string,
  { userHome = homedir(), paths, values, warnings }: DeclaringSettings,
): readonly string[] {
  const folder = dirname(file);
  // The default of the skills' store: beside the folders of the others, and beside the workspace.
  if (paths.sandbox !== undefined && folder === join(paths.sandbox, values.instance.id))
    return BESIDE.map((end) => `${file}${end}`);
  const isHome = isWithin(realOf(userHome), realOf(folder));
  // The service's own home is protected anyway, wherever it is.
  if (!isHome || isWithin(realOf(folder), realOf(paths.home))) return [folder];
  const line = `the store ${file} lies in a folder that is not its own: only its files are kept from the file tools; put it in one of its own`;
  if (!warnings.includes(line)) warnings.push(line);
  return BESIDE.map((end) => `${file}${end}`);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Where the program's own code is: of a checkout without what is not code. */
function programFolders(): readonly string[] {
  const checkout = checkoutRoot();
  if (checkout !== undefined) return ["apps", "packages", "node_modules"].map((folder) => join(checkout, folder));
  const own = serverPackage();
  if (own === undefined) return [];
  // Installed, its packages lie beside each other.
  const scope = dirname(own.folder);
  return [scope.endsWith("@agent-service") ? scope : own.folder];
}
