import { execFileSync, spawn } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../../../packages/agent-core/src/fence/index.ts";
import { openDatabase, removeRedirections, sandboxPolicy, systemClock } from "../../../packages/agent-core/src/host.ts";
import {
  Processes,
  probeSandbox,
  processEnvironment,
  type SandboxPolicy,
} from "../../../packages/agent-core/src/process/index.ts";
import { type Escape, escapes, type World } from "./escapes.ts";

const SECRET = "the-canary-nobody-may-read";
const UNCHANGED = "untouched";

export interface SandboxReport {
  readonly ran: number;
  /** What got out. */
  readonly escaped: readonly string[];
}

/** `weaken`: for trying the trial itself. Undefined: no sandbox is usable here, and why. */
export async function runSandbox(
  choose: (all: readonly Escape[]) => readonly Escape[] = (all) => all,
  weaken: (policy: SandboxPolicy) => SandboxPolicy = (policy) => policy,
): Promise<SandboxReport | string> {
  const state = await probeSandbox(process.env.PATH ?? "");
  if (!state.usable) return state.reason;
  // Not below /tmp, which is the program's own in the sandbox.
  const root = realpathSync(mkdtempSync(join(rootOf(), "sandbox-proof-")));
  const watch = await listen(root);
  const victim = spawn("sleep", ["1000"], { env: { ...process.env, CANARY: SECRET }, stdio: "ignore" });
  const db = await openDatabase({ url: ":memory:", owner: { name: "proof" } });
  const log = { warn: () => {} };
  const processes = new Processes({ db, clock: systemClock(), log, newId: () => crypto.randomUUID() });
  const escaped: string[] = [];
  let ran = 0;
  try {
    const world = makeWorld(root, watch, victim.pid!);
    const chosen = choose(escapes(world));
    for (const attempt of chosen) {
      makeWorld(root, watch, victim.pid!);
      const fence = fenceOf(world);
      const project = fence.projects.find("app")!;
      const policy = weaken(await sandboxPolicy({ fence, project, userHome: world.home, network: false, seen: false }));
      const before = watch.connections();
      const end = await processes.run({
        ...{ kind: "command", owner: "proof", argv: ["/bin/sh", "-c", attempt.script], cwd: world.project },
        ...{
          env: processEnvironment({ inherited: process.env }),
          timeoutMs: 10_000,
          sandbox: { by: state.sandbox, policy },
        },
      });
      // As `run_command` does when a command has ended.
      await removeRedirections(policy.pinned);
      ran++;
      const found = [
        ...changesOf(world),
        ...(end.output.text(100_000).includes(SECRET) ? ["read a secret"] : []),
        ...(watch.connections() > before ? ["reached a socket"] : []),
        ...(victim.exitCode !== null || victim.signalCode !== null ? ["ended a process"] : []),
        ...(leftIn(world.project).length > 0 ? ["outlived its command"] : []),
      ];
      for (const what of found) escaped.push(`${attempt.kind}: ${attempt.script}: ${what}`);
    }
    return { ran, escaped };
  } finally {
    victim.kill("SIGKILL");
    await processes.stop();
    await db.close();
    await watch.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function rootOf(): string {
  const home = homedir();
  return home === "/" ? tmpdir() : home;
}

const PROTECTED_FILES = [
  ".git/config",
  "vendor/lib/.git/config",
  "sub/.git",
  ".husky/pre-commit",
  ".git/modules/m/config",
];
/** Of other projects and places inside of the project; not as the list above, because an unseen command may change `inner`. */
const NESTED_FILES = ["kept/reading/canary", "deep/down/service/canary"];
const NESTED_PROJECT = "nested/inner";
const PROTECTED_FOLDERS = [".git/hooks", "vendor/lib/.git/hooks"];

function makeWorld(root: string, watch: { readonly port: number; readonly socket: string }, pid: number): World {
  const at = (name: string): string => join(root, name);
  rmSync(at("app"), { recursive: true, force: true });
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  for (const name of ["outside/canary", "reading/canary", "service/canary"]) put(name, UNCHANGED);
  for (const name of ["home/.ssh/id_ed25519", "home/.netrc", "home/.aws/credentials", "service/secrets.yaml"])
    put(name, SECRET);
  for (const name of [...PROTECTED_FILES, ...NESTED_FILES]) put(`app/${name}`, UNCHANGED);
  mkdirSync(at(`app/${NESTED_PROJECT}`), { recursive: true });
  put("app/.git/config", "[core]\n\thooksPath = .husky\n");
  for (const name of PROTECTED_FOLDERS) mkdirSync(at(`app/${name}`), { recursive: true });
  return {
    ...{ project: at("app"), readOnlyProject: at("reading"), outside: at("outside"), home: at("home") },
    ...{ serviceHome: at("service"), port: watch.port, socket: watch.socket, pid },
  };
}

function fenceOf({ project, readOnlyProject, serviceHome }: World): Fence {
  const registry = new ProjectRegistry([
    projectAt({ name: "app", path: project }),
    projectAt({ name: "reading", path: readOnlyProject, write: false }),
    projectAt({ name: "inner", path: join(project, NESTED_PROJECT) }),
    projectAt({ name: "kept", path: join(project, "kept/reading"), write: false }),
  ]);
  const places = new ProtectedPlaces([serviceHome, join(project, "deep/down/service")]);
  return new Fence({ projects: () => registry, places: () => places });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "gone";
  }
}

/** What is otherwise than `makeWorld` left it. */
function changesOf({ project, readOnlyProject, outside, serviceHome }: World): readonly string[] {
  const canaries = [outside, readOnlyProject, serviceHome].map((folder) => join(folder, "canary"));
  const files = [...PROTECTED_FILES, ...NESTED_FILES]
    .filter((name) => name !== ".git/config")
    .map((name) => join(project, name));
  const changed = [...canaries, ...files].filter((path) => textOf(path) !== UNCHANGED);
  const config = join(project, ".git/config");
  if (textOf(config) !== "[core]\n\thooksPath = .husky\n") changed.push(config);
  const inner = join(project, NESTED_PROJECT);
  if (realpathSync(project) !== project || lstatSync(inner, { throwIfNoEntry: false })?.isDirectory() !== true)
    changed.push(inner);
  for (const name of PROTECTED_FOLDERS) {
    const path = join(project, name);
    if (readdirSync(path).length > 0) changed.push(path);
  }
  for (const name of PROTECTED_FOLDERS) {
    const path = join(project, dirname(name), "commondir");
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) changed.push(path);
  }
  return changed.map((path) => `changed ${path}`);
}

/** Processes whose folder is the project: what outlived the command it belonged to. */
function leftIn(project: string): readonly string[] {
  const listed = execFileSync("sh", ["-c", "ls -l /proc/[0-9]*/cwd 2>/dev/null || true"], { encoding: "utf8" });
  return listed.split("\n").filter((line) => line.endsWith(`-> ${project}`));
}

async function listen(root: string) {
  let connections = 0;
  const count = (): void => {
    connections++;
  };
  const servers: Server[] = [createServer(count), createServer(count)];
  const socket = join(tmpdir(), `sandbox-proof-${process.pid}.sock`);
  await new Promise<void>((resolve) => servers[0]!.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => servers[1]!.listen(socket, resolve));
  const { port } = servers[0]!.address() as { port: number };
  return {
    ...{ port, socket, root },
    connections: () => connections,
    close: () => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))),
  };
}
