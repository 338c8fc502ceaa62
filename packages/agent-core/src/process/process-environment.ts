/**
 * The environment of what the agent starts (PR3): an allow-list, so that a secret of the service's own environment, or a
 * variable that makes programs load code, is in none.
 */
import { delimiter, isAbsolute, join, relative } from "node:path";

/** What is passed on as it is. */
const PASSED: ReadonlySet<string> = new Set(["HOME", "USER", "LOGNAME", "LANG", "TZ"]);
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment is made of. */
export interface EnvironmentSource {
  /** The service's own. */
  readonly inherited: Environment;
  /** Folders that the agent may write to: a program in one of them is never found by its name. Real paths. */
  readonly writable?: readonly string[];
  /** Names of further variables to pass on. */
  readonly pass?: readonly string[];
}

function isInside(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

/** `PATH` without relative entries and those in a folder of `writable`. */
export function safePath(path: string | undefined, writable: readonly string[] = []): string {
  const entries = (path ?? DEFAULT_PATH).split(delimiter).map((entry) => (isAbsolute(entry) ? join(entry) : ""));
  return entries.filter((entry) => entry !== "" && !writable.some((root) => isInside(entry, root))).join(delimiter);
}

/** Variables that make programs load code of others, or read other settings; none is passed on even if named. */
export function isSteeringVariable(name: string): boolean {
  return /^(?:NODE_|LD_|DYLD_|GIT_|SVC_|BASH_|PYTHON|PERL|RUBY)|^(?:PATH|ENV|IFS|SHELLOPTS|CDPATH|PS4|TERM)$/i.test(
    name,
  );
}

/** Makes it. */
export function processEnvironment({ inherited, writable = [], pass = [] }: EnvironmentSource): Record<string, string> {
  const wanted = (name: string): boolean =>
    PASSED.has(name) || name.startsWith("LC_") || (pass.includes(name) && !isSteeringVariable(name));
  const passed = Object.entries(inherited).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && wanted(entry[0]);
  });
  return { ...Object.fromEntries(passed), PATH: safePath(inherited.PATH, writable), TERM: "dumb" };
}
