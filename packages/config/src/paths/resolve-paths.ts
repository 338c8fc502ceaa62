import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where one service keeps its things (N3). All absolute. */
export interface ServicePaths {
  readonly home: string;
  readonly configDir: string;
  /** `agent-config.yaml`, the live file. */
  readonly configFile: string;
  /** `secrets.yaml`, the overlay. */
  readonly secretsFile: string;
  /** `SOUL.md`, the persona. */
  readonly soulFile: string;
  /** `host-config.yaml`, shared by every instance of this machine. */
  readonly hostFile: string;
  /** `.setup-complete`. */
  readonly setupMarker: string;
  /** `/sandbox` where it exists and can be written, else undefined. It is never created. */
  readonly sandbox: string | undefined;
}

/** What the paths follow from. Everything but `env` is for callers with a world of their own, such as tests. */
export interface PathOptions {
  readonly env: { readonly [name: string]: string | undefined };
  /** The checkout the service is run from, if it is. */
  readonly checkoutRoot?: string | undefined;
  readonly userHome?: string;
  /** Instead of `/sandbox`. */
  readonly sandbox?: string;
}

/**
 * Finds the service's folders (N3): home `SVC_HOME`, else `~/.protoagent`; configuration `SVC_CONFIG_DIR`, else
 * `config/` of the checkout, else `config` in the home. Relative values count from the working directory. Creates
 * nothing.
 */
export function resolvePaths({
  env,
  checkoutRoot,
  userHome = homedir(),
  sandbox = "/sandbox",
}: PathOptions): ServicePaths {
  const home = folder(env.SVC_HOME, userHome) ?? join(userHome, ".protoagent");
  const beside = checkoutRoot === undefined ? join(home, "config") : join(resolve(checkoutRoot), "config");
  const configDir = folder(env.SVC_CONFIG_DIR, userHome) ?? beside;
  return {
    home,
    configDir,
    configFile: join(configDir, "agent-config.yaml"),
    secretsFile: join(configDir, "secrets.yaml"),
    soulFile: join(configDir, "SOUL.md"),
    hostFile: join(home, "host-config.yaml"),
    setupMarker: join(configDir, ".setup-complete"),
    sandbox: isWritableFolder(sandbox) ? sandbox : undefined,
  };
}

/** `~` and `~/…` mean the user's home; other text is returned unchanged. */
export function expandHome(path: string, userHome: string = homedir()): string {
  return path === "~" || path.startsWith("~/") ? join(userHome, path.slice(1)) : path;
}

/** Whether a folder exists and this process may write into it. */
export function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function folder(value: string | undefined, userHome: string): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : resolve(expandHome(value.trim(), userHome));
}
