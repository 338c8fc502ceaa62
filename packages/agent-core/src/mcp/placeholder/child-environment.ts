import { type Environment, safePath } from "../../process/index.ts";

/** What every server's program is given of the service's own variables (M3). */
const PASSED: ReadonlySet<string> = new Set(["HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR"]);

/** What the environment of a server's program is made of. */
export interface ChildEnvironmentSource {
  /** The service's own. */
  readonly inherited: Environment;
  /** The server's `inherit_env`. */
  readonly inheritEnv: readonly string[];
  /** The server's `env`, its placeholders replaced. Beats everything else. */
  readonly env: Readonly<Record<string, string>>;
  isForbidden(name: string): boolean;
  /** Folders that the agent may write to: a program in one of them is never found by its name. Real paths. */
  readonly writable?: readonly string[];
}

/** The whole environment of a server's program: an allow-list, so that no secret of the service's own is in it. */
export function childEnvironment(source: ChildEnvironmentSource): Record<string, string> {
  const { inherited, inheritEnv, env, isForbidden, writable = [] } = source;
  const isPassed = (name: string): boolean =>
    PASSED.has(name) || name.startsWith("LC_") || (inheritEnv.includes(name) && !isForbidden(name));
  const passed = Object.entries(inherited).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isPassed(entry[0]),
  );
  return { ...Object.fromEntries(passed), PATH: safePath(inherited.PATH, writable), ...env };
}
