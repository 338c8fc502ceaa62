import { dirname, join } from "node:path";
import type { Fence, ReachableProject } from "../fence/index.ts";
import type { SandboxPolicy } from "../process/index.ts";
import { gitGuards } from "./git-guards.ts";

/** Where programs keep the user's credentials, below the home. */
const CREDENTIALS = [
  ...[".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".password-store", ".netrc", ".npmrc", ".pypirc"],
  ...[".git-credentials", ".pgpass", ".config/gcloud", ".config/gh", ".config/git/credentials", ".config/hub"],
  ...[".config/op", ".config/rclone", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials"],
  ...[
    ".local/share/keyrings",
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
    ".bash_history",
    ".zsh_history",
  ],
];

/** What a policy is made for. */
export interface PolicyRequest {
  readonly fence: Fence;
  readonly project: ReachableProject;
  readonly userHome: string;
  readonly network: boolean;
  /** A person saw the command and approved it. */
  readonly seen: boolean;
}

/** What a command may do: by the settings alone, whatever the command names (PR5). */
export async function sandboxPolicy({
  fence,
  project,
  userHome,
  network,
  seen,
}: PolicyRequest): Promise<SandboxPolicy> {
  const { root } = project;
  const within = fence.projects.all.flatMap((other) =>
    other.root?.startsWith(`${root}/`) === true ? [{ ...other, root: other.root }] : [],
  );
  const guards = seen || !project.write ? { readOnly: [], pinned: [] } : await gitGuards(root);
  const readOnly = [...guards.readOnly, ...within.filter(({ write }) => !write).map((other) => other.root)];
  const hidden = [
    ...fence.places.paths,
    ...CREDENTIALS.map((path) => join(userHome, path)),
    ...within.filter(({ fs }) => !fs).map((other) => other.root),
  ];
  const roots = within.map((other) => other.root);
  const held = project.write ? foldersAbove([...guards.pinned, ...readOnly, ...hidden, ...roots], root) : [];
  return {
    writable: project.write ? [root] : [],
    readOnly,
    pinned: [...new Set([...guards.pinned, ...(project.write ? roots : []), ...held])],
    hidden,
    network,
  };
}

/**
 * The folders between `root` and what a command must find where it is. Were one of them moved away, another could be made in
 * its place: the next command would read what was hidden at its new path, and have what is at the old one for the project or
 * the repository that was there.
 */
function foldersAbove(paths: readonly string[], root: string): readonly string[] {
  const above = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(`${root}/`)) continue;
    for (let folder = dirname(path); folder !== root && !above.has(folder); folder = dirname(folder)) above.add(folder);
  }
  return [...above];
}
