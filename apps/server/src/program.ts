/** What the command line starts: settings, then the service (document 3, `--setup`). */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Flags, StartedService } from "./cli/index.ts";
import { compose } from "./compose.ts";
import { boundYoungGeneration } from "./heap/index.ts";
import { loadServerSettings, type ServerSettings } from "./sections/index.ts";

/** The checkout this file runs from, if it does (ruling N3): its `config/` is the configuration then. */
function checkoutRoot(): string | undefined {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  return existsSync(`${root}/pnpm-workspace.yaml`) ? root : undefined;
}

function settingsFor(flags: Flags): ServerSettings {
  return loadServerSettings({ env: process.env, flags, checkoutRoot: checkoutRoot() });
}

/** Starts the service; it answers when this resolves. */
export async function startService(flags: Flags): Promise<StartedService> {
  const service = await compose(settingsFor(flags), { ownsConsole: true });
  boundYoungGeneration();
  return service;
}

/** Validates the configuration and writes `.setup-complete`. */
export async function completeSetup(flags: Flags): Promise<string> {
  const { paths } = settingsFor(flags);
  return `setup is complete: ${paths.configFile} is valid`;
}
