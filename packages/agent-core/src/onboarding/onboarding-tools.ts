/** The agent's tools by which projects come in (F20, F21). */
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { isSecretLike } from "../fence/index.ts";
import { findRepository } from "../git-read/index.ts";
import { type Cloning, readOrigin } from "./clone-repository.ts";
import { OnboardingError } from "./onboarding-error.ts";
import type { OnboardingSectionValue } from "./onboarding-section.ts";

/** Saves a project; one whose folder is registered is returned as it is. */
export type RegisterProject = (project: {
  readonly path: string;
  readonly name?: string | undefined;
  readonly write: boolean;
  readonly scm_repo?: string | undefined;
}) => Promise<{ readonly name: string; readonly path: string; readonly write: boolean }>;

export interface OnboardingToolsOptions {
  readonly cloning: Cloning;
  readonly register: RegisterProject;
  readonly settings: () => OnboardingSectionValue;
  /** The folder of clones with `~` replaced; undefined: there is none. */
  readonly root: () => string | undefined;
}

/** The names of the tools that `onboarding.enabled` switches off. */
export const ONBOARDING_TOOLS = ["onboard_project", "register_local_project"] as const;

const name = v.optional(v.pipe(v.string(), v.maxLength(64)));
const OF_OPERATORS = { availableTo: ["lead", "subagents"], content: "own", effect: "idempotent" } as const;
/** Folders of the system: none is a place for work. */
const SYSTEM = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib64",
  "/proc",
  "/root",
  "/run",
  "/sbin",
  "/sys",
  "/usr",
  "/var",
];

/** `onboard_project` and `register_local_project`; not for peers (F13). */
export function onboardingTools(options: OnboardingToolsOptions): readonly AnyTool[] {
  return [onboardProject(options), registerLocalProject(options)];
}

function onboardProject({ cloning, register, settings }: OnboardingToolsOptions): AnyTool {
  return defineTool({
    name: "onboard_project",
    description: "Clone a git repository and make it a project.",
    input: v.object({
      repo: v.pipe(v.string(), v.maxLength(1_000), v.description("owner/repo, host/owner/repo or a URL.")),
      name,
      write: v.optional(v.boolean()),
      scm_repo: v.optional(v.pipe(v.string(), v.maxLength(200))),
    }),
    ...OF_OPERATORS,
    timeoutMs: null,
    present: { asks: "Clone {repo}, to be written to?", doing: "Cloning {repo}", done: "Cloned {repo}" },
    approval({ repo, write }) {
      if (write !== true || settings().write_default) return undefined;
      return { title: `Clone ${repo}, to be written to?`, detail: "The agent may change its files.", always: true };
    },
    async run({ repo, name: folder, write = settings().write_default, scm_repo }, { signal }) {
      const { path, repository, isNew } = await cloning.clone(repo, folder, signal);
      const project = await register({ path, name: folder, write, scm_repo: scm_repo ?? repository.path });
      return { project: project.name, path: project.path, write: project.write, cloned: isNew };
    },
  });
}

function registerLocalProject({ register, settings, root }: OnboardingToolsOptions): AnyTool {
  return defineTool({
    name: "register_local_project",
    description: "Make a folder of this machine a project.",
    input: v.object({
      path: v.pipe(v.string(), v.maxLength(4_096), v.description("Absolute.")),
      name,
      write: v.optional(v.boolean()),
    }),
    ...OF_OPERATORS,
    present: { asks: "Let the agent work in {path}?", doing: "Registering {path}", done: "Registered {path}" },
    async approval({ path, write = settings().write_default }) {
      if (await isFree(path, write)) return undefined;
      const origin = await readOrigin(path);
      const from = origin === undefined ? "no git origin" : `cloned from ${origin}`;
      const detail = `${path} (${from}), ${write ? "to read and write" : "to read"}`;
      return { title: "Let the agent work in this folder?", detail, always: true };
    },
    async preview({ path, write = settings().write_default }) {
      const is_git = (await findRepository(path).catch(() => undefined)) !== undefined;
      return { kind: "register", path, is_git, origin: (await readOrigin(path)) ?? null, write };
    },
    async run({ path, name: wanted, write = settings().write_default }) {
      await check(path);
      const project = await register({ path, name: wanted, write });
      return { project: project.name, path: project.path, write: project.write };
    },
  });

  /** What is refused in any case needs no person either: `run` says why. */
  async function isFree(path: string, write: boolean): Promise<boolean> {
    const problem = await check(path).catch(() => "refused");
    return problem === "refused" || ((await isInRoot(path)) && (!write || settings().write_default));
  }

  async function isInRoot(path: string): Promise<boolean> {
    const folder = root();
    const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined);
    return real !== undefined && real !== path && isBelow(real, path);
  }

  /** The folder that is approved is the one that is registered: its path has no links that lead elsewhere later. */
  async function check(path: string): Promise<void> {
    const real = isAbsolute(path) ? await realpath(path).catch(() => undefined) : undefined;
    if (real === undefined) throw refused(`there is no folder ${path}: the path must be absolute`);
    if (real !== path) throw refused(`name the folder without links: ${real}`);
    if (await isInRoot(path)) return;
    if (!settings().approve_outside_root)
      throw refused("it lies outside of onboarding.root, and onboarding.approve_outside_root is off");
    const home = await realpath(homedir()).catch(() => homedir());
    const isSystem = path === "/" || (!isBelow(home, path) && SYSTEM.some((folder) => isBelow(folder, path)));
    if (isSystem || isSecretLike(path) || isBelow(path, home))
      throw refused(
        "a folder of the system, one with secrets, and one that holds the user's home cannot be registered",
      );
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way) && join(folder, way) === path);
}

function refused(message: string): OnboardingError {
  return new OnboardingError("onboarding.refused", message);
}
