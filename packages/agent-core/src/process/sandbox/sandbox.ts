/**
 * The sandbox port: what the operating system itself keeps a program from.
 *
 * PR5: what a program may write comes from configuration, never from its call.
 */

/** What a program may do. All paths are real and absolute; of two that hold a file the deeper one decides. */
export interface SandboxPolicy {
  /** Folders it may write to; all others are read-only, and the folder for temporary files is its own. */
  readonly writable: readonly string[];
  /** Files and folders that stay as they are inside those. */
  readonly readOnly: readonly string[];
  /** Folders that stand where they are while what is in them changes: none of them can be replaced by another. */
  readonly pinned: readonly string[];
  /** Files that cannot be read and folders that are empty. Those that do not exist are left out. */
  readonly hidden: readonly string[];
  readonly network: boolean;
}

/** A way to run a program with less than the user's rights. */
export interface Sandbox {
  readonly provider: "bubblewrap" | "seatbelt";
  /** Whether the system ends all that the program started together with it. */
  readonly endsAll: boolean;
  /** The program and the arguments that run `argv` under `policy`, in the folder `cwd`. */
  wrap(argv: readonly string[], policy: SandboxPolicy, cwd: string): [string, ...string[]];
}

/** What was found of sandboxes at the start. */
export type SandboxState =
  | { readonly usable: true; readonly sandbox: Sandbox }
  | { readonly usable: false; readonly provider: string; readonly reason: string };
