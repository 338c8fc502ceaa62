/** The program behind the command line: settings, then the service (B74 `--setup`). */
import { type AgentEngine, collectLargeGarbage, type OpeningStore } from "@agent-service/agent-core/host";
import { checkBind } from "../access/index.ts";
import {
  checkoutRoot,
  type Flags,
  type Printed,
  type Program,
  type StartedService,
  StartupError,
} from "../cli/index.ts";
import { openSecrets, type ServiceSecrets } from "../secrets/index.ts";
import {
  createLiveSettings,
  explainSettings,
  type LiveSettings,
  loadDeclared,
  loadServerSettings,
  type ServerSettings,
  type SettingsOptions,
  completeSetup as writeSetupMarker,
} from "../settings/index.ts";
import { openServiceStore } from "../store/index.ts";
import { boundCompilers } from "./compilers.ts";
import { keepCompiled, writeCompiled } from "./keep-compiled.ts";
import { boundOldGeneration } from "./old-generation.ts";
import { boundYoungGeneration } from "./young-generation.ts";

async function optionsFor(flags: Flags): Promise<{ options: SettingsOptions; secrets: ServiceSecrets }> {
  const from = { env: process.env, flags, checkoutRoot: checkoutRoot() };
  const secrets = await openSecrets(from);
  return { options: { ...from, env: secrets.manager.environment() }, secrets };
}

/** Undefined where the store must not, or cannot, be opened: compose reports the reason. */
function beginStore(settings: ServerSettings): OpeningStore | undefined {
  const { bind, credentials, environment } = settings;
  if (checkBind({ host: bind.host, credentials, allowOpen: environment.allowOpen }) !== undefined) return undefined;
  try {
    return openServiceStore(settings);
  } catch {
    return undefined;
  }
}

/** The module that composes a service; the largest part of the program. */
export interface ComposeModule {
  compose(
    live: LiveSettings,
    options: { readonly ownsConsole: true; readonly secrets: ServiceSecrets; readonly store?: OpeningStore },
  ): Promise<ComposedService>;
}

interface ComposedService extends StartedService {
  readonly core: Pick<AgentEngine, "load">;
}

/** The program behind the command line, composed by the module that `load` resolves with. */
export function programOver(load: () => Promise<ComposeModule>): Program {
  return { startService: (flags) => startService(flags, load), completeSetup, explainConfig };
}

/** Starts the service; it answers when this resolves. */
async function startService(flags: Flags, load: () => Promise<ComposeModule>): Promise<StartedService> {
  const { options, secrets } = await optionsFor(flags);
  const live = createLiveSettings(options);
  const store = beginStore(live.settings);
  const { home } = live.settings.paths;
  keepCompiled(home);
  // The store's thread boots while everything else is loaded.
  const { compose } = await load();
  const service = await compose(live, { ownsConsole: true, secrets, ...(store === undefined ? {} : { store }) });
  // Not earlier: under any flag that is not as Node was built, its own modules are compiled anew, in the store's thread too.
  boundCompilers();
  boundYoungGeneration(() => service.core.load().running);
  boundOldGeneration();
  collectLargeGarbage();
  writeCompiled(home);
  return service;
}

/** Makes the checks of a start and writes `.setup-complete`; returns the warnings of a start. */
async function completeSetup(flags: Flags): Promise<Printed> {
  const { options } = await optionsFor(flags);
  const { paths, bind, credentials, environment, warnings } = loadServerSettings(options);
  const open = checkBind({ host: bind.host, credentials, allowOpen: environment.allowOpen });
  if (open !== undefined) throw open;
  writeSetupMarker(paths);
  const judged = warnings.length === 0 ? "is valid" : "is used, with these warnings:";
  const lines = [`setup is complete: ${paths.configFile} ${judged}`, ...warnings];
  return { text: `${lines.join("\n")}\n`, json: { setup_complete: true, config_file: paths.configFile, warnings } };
}

/** Lists each setting and where it comes from; nothing is written, and no secret shown. */
async function explainConfig(flags: Flags, key: string | undefined): Promise<Printed> {
  const { options } = await optionsFor(flags);
  const loaded = loadDeclared(options);
  const printed = explainSettings(loaded, key);
  if (printed === undefined)
    throw new StartupError("usage", `there is no setting ${JSON.stringify(key)} (config explain lists all)`);
  return printed;
}
