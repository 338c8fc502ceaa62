/** The sandbox of Linux: bubblewrap, namespaces without a privileged helper. */
import { realpathSync, statSync } from "node:fs";
import type { Sandbox, SandboxPolicy } from "./sandbox.ts";

/**
 * Sockets in these would reach a daemon that does what the sandbox forbids; a socket needs no permission to write to the
 * file system it is in.
 */
const EMPTIED = ["/tmp", "/run", "/var/tmp"];
/** Where a host keeps its resolver's settings below `/run`. */
const RESOLVER_FOLDERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"];

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

/** The real path of what exists, and whether it is a folder. */
function lookAt(path: string): { readonly at: string; readonly folder: boolean } | undefined {
  try {
    const at = realpathSync(path);
    return { at, folder: statSync(at).isDirectory() };
  } catch {
    return undefined;
  }
}

function existing(paths: readonly string[], args: (at: string, folder: boolean) => readonly string[]): Mount[] {
  return paths.flatMap((path) => {
    const found = lookAt(path);
    return found === undefined ? [] : [{ at: found.at, args: args(found.at, found.folder) }];
  });
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length - 1;
}

function mountsOf({ writable, readOnly, pinned, hidden, network }: SandboxPolicy): readonly Mount[] {
  const mounts = [
    ...existing(EMPTIED, (at) => ["--tmpfs", at]),
    ...(network ? existing(RESOLVER_FOLDERS, (at) => ["--ro-bind", at, at]) : []),
    ...existing(writable, (at) => ["--bind", at, at]),
    ...existing(pinned, (at) => ["--bind", at, at]),
    ...existing(readOnly, (at) => ["--ro-bind", at, at]),
    ...existing(hidden, (at, folder) =>
      folder ? ["--tmpfs", at, "--remount-ro", at] : ["--ro-bind", "/dev/null", at],
    ),
  ];
  // The sort keeps the order above among equals: a path that is writable and hidden is hidden.
  return mounts.toSorted((a, b) => depth(a.at) - depth(b.at));
}

/** bubblewrap at this path. */
export function bubblewrap(program: string): Sandbox {
  return {
    provider: "bubblewrap",
    // Its first process is the first of a process namespace, and dies with the one we started.
    endsAll: true,
    wrap(argv, policy, cwd) {
      const mounts = mountsOf(policy);
      // A hidden folder stays writable in memory until what lies in it is mounted.
      const remounts = mounts.flatMap(({ args }) => (args[2] === "--remount-ro" ? args.slice(2) : []));
      const placed = mounts.flatMap(({ args }) => (args[2] === "--remount-ro" ? args.slice(0, 2) : args));
      return [
        program,
        ...["--die-with-parent", "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
        ...["--unshare-cgroup-try", ...(policy.network ? [] : ["--unshare-net"]), "--cap-drop", "ALL"],
        ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
        ...[...placed, ...remounts, "--chdir", cwd, "--", ...argv],
      ];
    },
  };
}
