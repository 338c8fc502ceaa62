/** Folders with everything that has ever led out of a fence, and what must not be reached. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** In every file that must not be read. */
export const CANARY = "CANARY-7f3a";
/** In every file that may be read. */
export const INSIDE = "INSIDE-2b91";

/** The projects of a world: what is configured of each. */
export interface WorldProject {
  readonly name: string;
  readonly path: string;
  readonly write: boolean;
  readonly no_delete: boolean;
  readonly fs: boolean;
}

export interface World {
  readonly root: string;
  /** In no project. */
  readonly outside: string;
  readonly home: string;
  readonly config: string;
  readonly projects: readonly WorldProject[];
  /** Whether devices could be made: only root may. */
  readonly hasDevices: boolean;
  /** Whether the home is mounted under another name in a project, for which the machine must permit it. */
  readonly hasMounts: boolean;
  /** What changed of all that must not change since the world was made. */
  changes(): readonly string[];
  remove(): void;
}

/**
 * Makes a world in a folder of its own. Everything below `outside`, `home` and `config` is a canary. `mounts`: the home is also
 * mounted in a project, which a process that is killed leaves behind.
 */
export function makeWorld({ mounts = false } = {}): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fence-proof-")));
  const outside = join(root, "outside");
  const all = join(root, "all");
  const [home, config] = [join(all, "home"), join(all, "config")];
  const put = (path: string, content = `${INSIDE}\n`): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const canary = (path: string): void => put(path, `${CANARY}\n`);
  for (const file of ["canary.txt", "deep/canary.txt", ".ssh/id_rsa", "project/canary.txt"])
    canary(join(outside, file));
  for (const file of ["checkpoints.db.copy", "compiled/main.js", "logs/log.txt", "file-history/ab/abcd"])
    canary(join(home, file));
  canary(join(config, "secrets.copy"));
  const app = join(all, "app");
  for (const file of [
    "a.txt",
    "src/b.txt",
    "src/deep/c.txt",
    "inner/d.txt",
    "kept/e.txt",
    "caf\u00e9.txt",
    ".git/HEAD",
  ])
    put(join(app, file));
  for (const file of ["hidden/f.txt", ".env", ".env.local", "tls.key", ".ssh/id_rsa", ".git/config", "sub/.git/config"])
    canary(join(app, file));
  put(join(all, "readonly/g.txt"));
  put(join(all, "b.txt"));
  links(app, outside, home);
  execFileSync("mkfifo", [join(app, "pipe"), join(app, "src/pipe")]);
  const socket = createServer().listen(join(app, "socket"));
  const hasDevices = makeDevices(app);
  const mounted = join(app, "mounted");
  const hasMounts = mounts && mount(home, mounted);
  chmodSync(join(outside, "deep/canary.txt"), 0o640);
  // What the service itself writes meanwhile, such as what files held before they were changed, is not among them.
  const guarded = [outside, join(home, "compiled"), join(app, ".git"), join(app, "hidden")];
  const before = guarded.map(fingerprint);
  const project = (name: string, path: string, more: Partial<WorldProject> = {}): WorldProject => {
    return { name, path, write: true, no_delete: false, fs: true, ...more };
  };
  return {
    ...{ root, outside, home, config, hasDevices, hasMounts },
    projects: [
      project("app", app),
      project("inner", join(app, "inner"), { write: false }),
      project("kept", join(app, "kept"), { no_delete: true }),
      project("hidden", join(app, "hidden"), { fs: false }),
      project("readonly", join(all, "readonly"), { write: false }),
      project("all", all),
    ],
    changes: () => guarded.flatMap((folder, index) => (fingerprint(folder) === before[index] ? [] : [folder])),
    remove() {
      (socket as Server).close();
      if (hasMounts) execFileSync("umount", [mounted]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function links(app: string, outside: string, home: string): void {
  const at = (name: string, target: string): void => symlinkSync(target, join(app, name));
  at("to-file", "../../outside/canary.txt");
  at("to-file-absolute", join(outside, "canary.txt"));
  at("to-folder", "../../outside");
  at("to-folder-absolute", outside);
  at("to-parent", "..");
  at("to-home", "../home");
  at("to-home-absolute", home);
  at("to-root", "/");
  at("to-process", "/proc/self/root");
  at("to-cwd", "/proc/self/cwd");
  at("to-missing-outside", "../../outside/none.txt");
  at("to-secret", ".env");
  at("to-hidden", "hidden");
  at("to-git", ".git/config");
  at("inside", "src/b.txt");
  at("inside-folder", "src");
  at("loop", "loop");
  at("loop-a", "loop-b");
  at("loop-b", "loop-a");
  at("chain-0", "to-folder");
  for (let length = 1; length <= 8; length++) at(`chain-${length}`, `chain-${length - 1}`);
  at("long-0", "src/b.txt");
  for (let length = 1; length <= 45; length++) at(`long-${length}`, `long-${length - 1}`);
  at("winding", "src/../src/deep/../../../../outside/canary.txt");
  symlinkSync("../../../../outside", join(app, "src/deep/up"));
  linkSync(join(outside, "canary.txt"), join(app, "hard.txt"));
  linkSync(join(home, "compiled/main.js"), join(app, "hard-home.js"));
}

function mount(folder: string, at: string): boolean {
  mkdirSync(at);
  try {
    execFileSync("mount", ["--bind", folder, at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Only root may make them. */
function makeDevices(app: string): boolean {
  try {
    execFileSync("mknod", [join(app, "zero"), "c", "1", "5"], { stdio: "ignore" });
    execFileSync("mknod", [join(app, "null"), "c", "1", "3"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Of everything below a folder: kind, mode, times and content. Links to files that are changed elsewhere count too. */
function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path, { bigint: true });
    hash.update(`${name}\0${stat.mode}\0${stat.ino}\0${stat.mtimeNs}\0`);
    if (stat.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}
