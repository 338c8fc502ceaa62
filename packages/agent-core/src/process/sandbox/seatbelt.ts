/** The sandbox of macOS: `sandbox-exec` with a profile. Its arguments are tested as text; no macOS ran them. */
import type { Sandbox, SandboxPolicy } from "./sandbox.ts";

const PROGRAM = "/usr/bin/sandbox-exec";

/** A path as a string of the profile's language. */
function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function rule(action: string, paths: readonly string[], filter: "subpath" | "literal" = "subpath"): string[] {
  return paths.length === 0 ? [] : [`(${action} ${paths.map((path) => `(${filter} ${quoted(path)})`).join(" ")})`];
}

function inside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

/** The profile: the last rule that fits decides. */
export function seatbeltProfile({ writable, readOnly, pinned, hidden, network }: SandboxPolicy): string {
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...rule("allow file-write*", ["/dev/null", "/dev/tty", "/dev/dtracehelper"]),
    // A project may lie in a hidden folder, and hold one.
    ...rule(
      "deny file-read*",
      hidden.filter((path) => !inside(path, writable)),
    ),
    ...rule("allow file-read* file-write*", writable),
    ...rule("deny file-write*", readOnly),
    // The folder itself can be neither renamed nor removed; what is in it can.
    ...rule("deny file-write-unlink", pinned, "literal"),
    ...rule(
      "deny file-read* file-write*",
      hidden.filter((path) => inside(path, writable)),
    ),
    ...(network ? [] : ["(deny network*)"]),
    "(deny signal (target others))",
    "(deny process-info* (target others))",
  ].join("\n");
}

/** `sandbox-exec`. It ends nothing by itself: what leaves the group is found by its marker. */
export const seatbelt: Sandbox = {
  provider: "seatbelt",
  endsAll: false,
  wrap: (argv, policy) => [PROGRAM, "-p", seatbeltProfile(policy), ...argv],
};
