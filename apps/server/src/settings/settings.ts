import { existsSync } from "node:fs";
import { type ConnectionRegistry, leadWithScripted, resolveConnections } from "@agent-service/agent-core/host";
import {
  type ConfigTexts,
  type ConfigValues,
  describeProvenance,
  installExample,
  type LoadedConfig,
  loadConfig,
  type Provenance,
  type RefusedConfig,
  renderExample,
  resolvePaths,
  resolveStore,
  type ServicePaths,
} from "@agent-service/config";
import { checkBind, checkCredentials, isLoopbackHost } from "../access/index.ts";
import { StartupError } from "../cli/index.ts";
import type { AuthSectionValue } from "./auth-section.ts";
import { chooseLead, namesModel } from "./choose-lead.ts";
import { type DeclaredProjects, declaredProjects } from "./declared-projects.ts";
import { type Environment, parseUiTier, readEnvironment, type UiTier } from "./environment.ts";
import { type MirrorPlaces, mirrorPlaces, type SummaryPlaces, summaryPlaces } from "./own-places.ts";
import { secretsOf } from "./secrets-of.ts";
import { SECTIONS } from "./sections.ts";
import { completeSetup, readSetupState, type SetupState } from "./setup-state.ts";
import { RESERVED_KEYS, RESERVED_SECTIONS } from "./unbuilt-features.ts";
import { unknownSubscriptionFields } from "./unknown-subscription-fields.ts";

/** Flags of the command line that bear on settings. */
export interface SettingsFlags {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly ui?: string | undefined;
  /** `--setup`: looked at as if setup were complete; the caller writes `.setup-complete` and exits. */
  readonly setup?: boolean | undefined;
}

/** What settings are loaded from. */
export interface SettingsOptions {
  readonly env: { readonly [name: string]: string | undefined };
  readonly flags?: SettingsFlags;
  /** The checkout the service is run from, if it is (N3). */
  readonly checkoutRoot?: string | undefined;
  /** Instead of the user's home and `/sandbox`, for tests. */
  readonly userHome?: string;
  readonly sandbox?: string;
  /** True for a reload: the example is not put in place again. */
  readonly running?: boolean;
  /** To look at a change before it is written: texts instead of files, and setup as it would be. Nothing is written. */
  readonly preview?: { readonly texts: ConfigTexts; readonly completesSetup: boolean };
}

/** Who leads and over which connections. */
export interface LeadSettings extends Pick<ConnectionRegistry, "connections" | "lead" | "retiring"> {
  /** True when the scripted model leads because no model is named (R10); it is never saved. */
  readonly scriptedByDefault: boolean;
}

/**
 * Everything the composition needs to know, decided: the value of each section under the section's name, and what follows
 * from several. `db_path` of `checkpoint`, `telemetry`, `knowledge` and `skills` is absolute, an address, or blank for memory. Secrets are in it:
 * it is never logged or sent.
 */
export interface ServerSettings extends ConfigValues<typeof SECTIONS>, MirrorPlaces {
  readonly paths: ServicePaths;
  readonly environment: Environment;
  readonly ui: UiTier;
  readonly bind: { readonly host: string; readonly port: number };
  readonly setup: SetupState;
  /** Both secrets of `auth` and the API key, undefined where there is none. */
  readonly credentials: { readonly bearer?: string; readonly apiKey?: string; readonly federation?: string };
  readonly models: LeadSettings;
  /** Where issues are kept: absolute, or an address (B73 `TASKS_DB_PATH`). */
  readonly tasksDbPath: string;
  readonly summaries: SummaryPlaces;
  /** What files held before they were changed: absolute. */
  readonly fileHistoryFolder: string;
  /** What the file tools reach. */
  readonly fence: DeclaredProjects;
  /** By dotted key, for `explain` and logs. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** The configuration these settings were made of. */
  readonly loaded: LoadedConfig<typeof SECTIONS>;
  /** For the redactor (S5). */
  readonly secrets: readonly string[];
  /** For the log, one line each. */
  readonly warnings: readonly string[];
}

type Loaded = LoadedConfig<typeof SECTIONS>;

/** The default port (N2). */
const DEFAULT_PORT = 7870;

/**
 * Loads all settings of the service, and puts the example configuration in place on first run. Throws `StartupError`
 * with one line: `config-unreadable`, `config-invalid`, `auth-incomplete`, `setup-incomplete` or `card-unroutable`.
 */
export function loadServerSettings(options: SettingsOptions): ServerSettings {
  const { flags = {}, userHome } = options;
  const environment = readEnvironment(options.env);
  const warnings = [...environment.warnings];
  const ui = flags.ui === undefined ? (environment.ui ?? "console") : parseUiTier(flags.ui, "--ui", warnings);
  const paths = resolvePaths(options);
  if (options.running !== true) placeExample(paths);
  const config = loadDeclared(options);
  warnings.push(...config.warnings.map(({ message }) => message));
  const { values, provenance } = config;
  warnings.push(...unused(provenance), ...switchedOff(values), ...unknownSubscriptionFields(config));

  const credentials = credentialsOf(values.auth, environment);
  const incomplete = checkCredentials(credentials);
  if (incomplete !== undefined) throw incomplete;
  const host = flags.host?.trim() || (environment.host ?? "127.0.0.1");
  // At a start compose checks it. A reload must not open to the network what listens there with a token.
  const opened =
    options.running === true ? checkBind({ host, credentials, allowOpen: environment.allowOpen }) : undefined;
  if (opened !== undefined) throw opened;
  if (values.a2a.require_routable_url) checkRoutable(environment.publicUrl);
  const context = { ui, setupFlag: flags.setup === true, environment, warnings, preview: options.preview };
  const { setup, models } = decideLead(config, paths, context);
  const instance = values.instance.id;
  const storeAt = (key: string, path: string): string =>
    resolveStore(path, { paths, instance, from: provenance.get(key) ?? { layer: "default" } });
  const stores = {
    checkpoint: storeAt("checkpoint.db_path", values.checkpoint.db_path),
    telemetry: storeAt("telemetry.db_path", values.telemetry.db_path),
    knowledge: storeAt("knowledge.db_path", values.knowledge.db_path),
    skills: storeAt("skills.db_path", values.skills.db_path),
    tasks: resolveStore(environment.tasksDbPath ?? "/sandbox/tasks/issues.db", {
      paths,
      instance,
      from: environment.tasksDbPath === undefined ? { layer: "default" } : { layer: "env", variable: "TASKS_DB_PATH" },
    }),
  };
  const summaries = summaryPlaces(environment, { paths, instance });
  const { workspace } = environment;
  const fileHistoryFolder = resolveStore("/sandbox/file-history", { paths, instance, from: { layer: "default" } });
  return {
    ...values,
    checkpoint: { ...values.checkpoint, db_path: stores.checkpoint, max_age_days: maxAgeDays(config, warnings) },
    telemetry: { ...values.telemetry, db_path: stores.telemetry },
    knowledge: { ...values.knowledge, db_path: stores.knowledge },
    skills: { ...values.skills, db_path: stores.skills },
    paths,
    environment,
    ui,
    bind: { host, port: flags.port ?? DEFAULT_PORT },
    setup,
    credentials,
    models,
    tasksDbPath: stores.tasks,
    summaries,
    ...mirrorPlaces(environment, { paths, instance }),
    fileHistoryFolder,
    fence: declaredProjects({
      ...{ ...config, paths, workspace, userHome, warnings, folders: [fileHistoryFolder, summaries.folder] },
      stores: [...Object.values(stores), summaries.index],
    }),
    provenance,
    loaded: config,
    secrets: [...new Set([...config.secrets, ...secretsOf(options.env)])],
    warnings,
  };
}

/**
 * Loads the values of files, environment and flags, and decides nothing. Nothing is written.
 * @throws StartupError config-unreadable, config-invalid
 */
export function loadDeclared(options: SettingsOptions): Loaded {
  const { preview } = options;
  const config = loadConfig({
    ...resolvePaths(options),
    env: options.env,
    sections: SECTIONS,
    reserved: RESERVED_SECTIONS,
    ...(preview && { texts: preview.texts }),
  });
  if (!config.ok) throw refusal(config);
  return config;
}

function placeExample(paths: ServicePaths): void {
  if (existsSync(paths.configFile)) return;
  try {
    installExample(paths.configFile, renderExample(SECTIONS));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new StartupError("config-unreadable", `${paths.configDir}: cannot be used for the configuration (${code})`, {
      cause,
    });
  }
}

function refusal({ errors }: RefusedConfig): StartupError {
  const [first, ...rest] = errors;
  const code = first.code === "unreadable" || first.code === "syntax" ? "config-unreadable" : "config-invalid";
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return new StartupError(code, first.message + more, { problem: first });
}

function credentialsOf(auth: AuthSectionValue, { apiKey }: Environment): ServerSettings["credentials"] {
  return {
    ...(auth.token === "" ? {} : { bearer: auth.token }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(auth.federation_token === "" ? {} : { federation: auth.federation_token }),
  };
}

/** B64 `a2a.require_routable_url`: without a public address the card advertises the loopback one. */
function checkRoutable(publicUrl: string | undefined): void {
  const host = publicUrl === undefined ? "localhost" : new URL(publicUrl).hostname;
  if (!isLoopbackHost(host) && host !== "0.0.0.0" && host !== "[::]") return;
  throw new StartupError(
    "card-unroutable",
    "a2a.require_routable_url is set, but the card would advertise a loopback address: set A2A_PUBLIC_URL",
  );
}

interface LeadContext {
  readonly ui: UiTier;
  readonly setupFlag: boolean;
  readonly environment: Environment;
  readonly warnings: string[];
  readonly preview: SettingsOptions["preview"];
}

function decideLead({ values, provenance }: Loaded, paths: ServicePaths, context: LeadContext) {
  const { ui, setupFlag, environment, warnings, preview } = context;
  const named = namesModel(provenance);
  let setup = readSetupState(paths);
  const completes =
    setupFlag || preview?.completesSetup === true || (named && (ui === "none" || environment.headlessSetup));
  // A setup without a configuration would take the refusal below away from every later start.
  if (setupFlag && !named) throw unconfigured(paths);
  if (!setup.complete && completes) {
    if (preview === undefined && !setupFlag) completeSetup(paths);
    setup = { ...setup, complete: true };
  }
  const choice = chooseLead({ setupComplete: setup.complete, ui, named });
  if (choice === "refuse") throw unconfigured(paths, "SVC_UI is none and ");
  const registry = resolveConnections(values.providers, values.model);
  if (!registry.retiring) warnings.push(...ignoredRetiringKeys(provenance));
  const models: LeadSettings =
    choice === "scripted"
      ? { ...leadWithScripted(registry), scriptedByDefault: true }
      : { ...registry, scriptedByDefault: false };
  return { setup, models };
}

function unconfigured({ configFile }: ServicePaths, why = ""): StartupError {
  return new StartupError(
    "setup-incomplete",
    `${why}no model is configured: set MODEL_API_KEY or SVC_MODEL, add providers to ${configFile}, or choose the model ` +
      "without a network by name (SVC_MODEL=scripted:demo)",
  );
}

/** A setting without effect yet is warned of. */
function unused(provenance: ReadonlyMap<string, Provenance>): string[] {
  return RESERVED_KEYS.flatMap((key) => {
    const from = provenance.get(key) ?? { layer: "default" };
    return from.layer === "default" ? [] : [`${describeProvenance(from)}: ${key}: not used by this release`];
  });
}

/** What is configured for a gate that is switched off should not be taken for a guard. */
function switchedOff({ enforcement, middleware }: Loaded["values"]): string[] {
  if (middleware.enforcement) return [];
  const { disallowed_tools: blocked, rate_limits: limits } = enforcement;
  const names = [
    ...(blocked.length > 0 ? ["enforcement.disallowed_tools"] : []),
    ...(Object.keys(limits).length > 0 ? ["enforcement.rate_limits"] : []),
  ];
  return names.map((name) => `${name}: does nothing while middleware.enforcement is off`);
}

/** `journal.retention_days` is an earlier name of `checkpoint.max_age_days` (R14). */
function maxAgeDays({ values: { checkpoint, journal }, provenance }: Loaded, warnings: string[]): number {
  if (journal.retention_days === undefined) return checkpoint.max_age_days;
  const from = provenance.get("journal.retention_days") ?? { layer: "default" };
  const renamed = (provenance.get("checkpoint.max_age_days")?.layer ?? "default") === "default";
  const what = renamed ? "read as checkpoint.max_age_days" : "ignored, because checkpoint.max_age_days is set";
  warnings.push(`${describeProvenance(from)}: journal.retention_days: ${what}`);
  return renamed ? journal.retention_days : checkpoint.max_age_days;
}

/** A providers block silences the retiring keys (B51 `providers`, rules 2 and 3); who wrote both is warned. */
function ignoredRetiringKeys(provenance: ReadonlyMap<string, Provenance>): string[] {
  return ["model.provider", "model.api_base", "model.api_key"].flatMap((key) => {
    const from = provenance.get(key) ?? { layer: "default" };
    return from.layer === "default" || from.layer === "env"
      ? []
      : [`${describeProvenance(from)}: ${key}: ignored, because there is a providers block`];
  });
}
