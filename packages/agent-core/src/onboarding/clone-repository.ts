/** Clones repositories into one folder, bounded in time and bytes (F20). */
import { lstat, mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../clock/index.ts";
import { configValue, type GitPrograms, readSmallFile } from "../git-read/index.ts";
import { cloneCommand } from "./clone-command.ts";
import { folderSize } from "./folder-size.ts";
import { OnboardingError } from "./onboarding-error.ts";
import type { OnboardingSectionValue } from "./onboarding-section.ts";
import { parseRepositoryAddress, type RepositoryAddress } from "./repository-address.ts";
import { fitsPattern } from "./repository-pattern.ts";

export const CLONE_LIMITS = {
  milliseconds: 600_000,
  /** Of one clone. */
  bytes: 2 * 1024 ** 3,
  /** Of everything in the folder of clones. */
  totalBytes: 20 * 1024 ** 3,
} as const;

const LOOK_MS = 500;
/** Of folders that are cloned into; then the process, and an id. */
const BESIDE = ".cloning-";

export interface CloneOptions {
  readonly settings: () => Pick<OnboardingSectionValue, "root" | "allow">;
  /** The folder of clones: absolute, made where it is missing. */
  readonly makeRoot: (root: string) => string;
  /** The checked addresses of a host, and whether the operator named it. @throws EgressError */
  readonly addressesOf: (url: string) => Promise<{ readonly addresses: readonly string[]; readonly isNamed: boolean }>;
  readonly programs: GitPrograms;
  readonly clock: Pick<Clock, "setTimeout">;
  /** `PATH` and what else of the service's environment programs get. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Default: `CLONE_LIMITS`. */
  readonly limits?: { readonly [Limit in keyof typeof CLONE_LIMITS]: number };
}

/** A folder with the clone. */
export interface Clone {
  readonly path: string;
  readonly repository: RepositoryAddress;
  /** False: it was there. */
  readonly isNew: boolean;
}

/** Whether another process that runs is cloning into it: two services may share the folder. */
function isOfAnother(name: string): boolean {
  const pid = Number(name.slice(BESIDE.length).split("-", 1)[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Clones into the folder of clones, one repository at a time in each place. */
export class Cloning {
  readonly #options: CloneOptions;
  /** Names of folders that are being made. */
  readonly #busy = new Set<string>();
  /** Names of folders that are cloned into. */
  readonly #beside = new Set<string>();

  constructor(options: CloneOptions) {
    this.#options = options;
  }

  /**
   * Clones a repository, or finds the clone of it that is there. `name` is that of the folder; default: the repository's.
   * @throws OnboardingError, EgressError, and the signal's reason
   */
  async clone(repo: string, name: string | undefined, signal: AbortSignal): Promise<Clone> {
    const repository = parseRepositoryAddress(repo);
    const { root: wanted, allow } = this.#options.settings();
    if (wanted === "") throw refused("there is no folder for clones: onboarding.root");
    if (!allow.some((pattern) => fitsPattern(repository.key, pattern)))
      throw refused(`no pattern of onboarding.allow fits ${repository.key}`);
    const folder = name ?? repository.name.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[^A-Za-z0-9]+/, "");
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(folder)) throw refused(`${folder} cannot be the name of a project`);
    const root = await realpath(this.#options.makeRoot(wanted));
    const path = join(root, folder);
    if (this.#busy.has(path)) throw refused(`${folder} is being cloned`);
    this.#busy.add(path);
    try {
      if (await isThere(path, repository)) return { path, repository, isNew: false };
      await this.#cloneInto(root, path, repository, signal);
      return { path, repository, isNew: true };
    } finally {
      this.#busy.delete(path);
    }
  }

  async #cloneInto(root: string, path: string, repository: RepositoryAddress, signal: AbortSignal): Promise<void> {
    const { addressesOf, limits = CLONE_LIMITS } = this.#options;
    const scheme = repository.protocol === "ssh" ? "https" : repository.protocol;
    const host = repository.host.includes(":") ? `[${repository.host}]` : repository.host;
    const { addresses, isNamed } = await addressesOf(`${scheme}://${host}:${repository.port}/`);
    if (repository.protocol === "http" && !isNamed)
      throw refused("http:// is for hosts of egress.allowed_hosts only: use https://");
    await this.removeLeftovers(root);
    if ((await folderSize(root, limits.totalBytes)) > limits.totalBytes)
      throw new OnboardingError("onboarding.too-large", "the folder of clones is full: onboarding.root");
    const name = `${BESIDE}${process.pid}-${crypto.randomUUID()}`;
    const beside = join(root, name);
    this.#beside.add(name);
    try {
      await mkdir(beside, { mode: 0o700 });
      await this.#run(beside, repository, addresses, signal);
      await rename(join(beside, "clone"), path);
    } finally {
      await rm(beside, { recursive: true, force: true });
      this.#beside.delete(name);
    }
  }

  /** Removes what processes that have ended left half cloned in the folder of clones. Never rejects. */
  async removeLeftovers(root: string): Promise<void> {
    for (const name of await readdir(root).catch(() => [])) {
      if (!name.startsWith(BESIDE) || this.#beside.has(name) || isOfAnother(name)) continue;
      await rm(join(root, name), { recursive: true, force: true }).catch(() => {});
    }
  }

  async #run(
    beside: string,
    repository: RepositoryAddress,
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { programs, environment, limits = CLONE_LIMITS } = this.#options;
    const ended = new AbortController();
    const into = join(beside, "clone");
    const { argv, variables } = cloneCommand(repository, addresses, into, beside);
    const running = await programs.start({
      ...{ kind: "clone", owner: `clone:${repository.key}`, argv, cwd: beside, separate: true, keptBytes: 4_096 },
      env: { ...environment(), ...variables },
      timeoutMs: limits.milliseconds,
      signal: AbortSignal.any([signal, ended.signal]),
    });
    const stopWatching = this.#watchSize(beside, ended);
    const { code, timedOut, errors } = await running.ended.finally(stopWatching);
    signal.throwIfAborted();
    if (timedOut) throw new OnboardingError("onboarding.timeout", "cloning took longer than it may");
    if (ended.signal.aborted || (await folderSize(beside, limits.bytes)) > limits.bytes)
      throw new OnboardingError("onboarding.too-large", "the repository is larger than a clone may be");
    if (code !== 0)
      throw new OnboardingError(
        "onboarding.failed",
        `git could not clone it${reasonOf(errors.text(2_000), repository, beside)}`,
      );
  }

  /** Ends the clone when it has grown too large. Returns a function that ends the watch. */
  #watchSize(folder: string, ended: AbortController): () => void {
    const { clock, limits = CLONE_LIMITS } = this.#options;
    let isOver = false;
    const look = async (): Promise<void> => {
      if ((await folderSize(folder, limits.bytes)) > limits.bytes) ended.abort();
      if (!isOver && !ended.signal.aborted) timer = clock.setTimeout(() => void look(), LOOK_MS);
    };
    let timer = clock.setTimeout(() => void look(), LOOK_MS);
    return () => {
      isOver = true;
      timer.cancel();
    };
  }
}

/** Whether the clone of a repository lies there. @throws OnboardingError where something else does */
async function isThere(path: string, repository: RepositoryAddress): Promise<boolean> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return false;
  const origin = await readOrigin(path);
  try {
    if (origin !== undefined && parseRepositoryAddress(origin).key === repository.key) return true;
  } catch (error) {
    if (!(error instanceof OnboardingError)) throw error;
  }
  throw refused(`something else lies in ${basename(path)} of the folder of clones: choose another name`);
}

/** Where the repository in a folder was cloned from, read without git; without a user or password. */
export async function readOrigin(folder: string): Promise<string | undefined> {
  const config = await readSmallFile(join(folder, ".git", "config"), 1_048_576).catch(() => undefined);
  const url = config === undefined ? undefined : configValue(config.content.toString(), 'remote "origin"', "url");
  return url?.replace(/^([a-z+]+:\/\/)[^/@]*@/i, "$1").slice(0, 500);
}

function reasonOf(errors: string, { protocol, host }: RepositoryAddress, beside: string): string {
  const ofSsh = protocol === "ssh" ? reasonOfSsh(errors, host) : undefined;
  if (ofSsh !== undefined) return `: ${ofSsh}`;
  const line = errors.split("\n").find((one) => /^(?:fatal|error): /.test(one));
  if (line === undefined) return "";
  // An address that a name resolved to is not shown.
  const shown = line
    .replace(/^\w+: /, "")
    .replaceAll(beside, "…")
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, "…");
  return `: ${shown.slice(0, 300)}`;
}

/** What ssh says in words of its own; git then only says that it could not read. */
function reasonOfSsh(errors: string, host: string): string | undefined {
  if (/^Host key verification failed/m.test(errors))
    return `${host} is not in the known_hosts of the service's user, or with another key`;
  if (/: Permission denied \(/.test(errors)) return `${host} accepts no key of the service's user`;
  const connecting = /^ssh: connect to host \S+ port \d+: (.{1,100})$/m.exec(errors);
  return connecting === null ? undefined : `${host}: ${connecting[1]}`;
}

function refused(message: string): OnboardingError {
  return new OnboardingError("onboarding.refused", message);
}
