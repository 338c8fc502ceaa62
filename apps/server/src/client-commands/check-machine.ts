/** Checks without the service. */
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { packageVersion, StartupError } from "../cli/index.ts";
import type { CommandContext } from "./command.ts";
import type { Finding, ReportFinding } from "./finding.ts";
import { bytes } from "./terminal-text.ts";

export interface MachineFacts {
  /** The process that owns the store of this configuration. */
  readonly owner?: { readonly name: string; readonly pid: number; readonly host: string };
  /** The lead model by the configuration, and its address; blank: the scripted model. */
  readonly lead?: { readonly name: string; readonly baseUrl: string };
  /** What is known of the MCP servers without the service. */
  readonly servers?: readonly Finding[];
}

const LOW_BYTES = 1e9;
const FULL_BYTES = 100e6;
const DAY_MS = 86_400_000;

/** Looks at Node, configuration, store, disk and clock. */
export async function checkMachine({ io }: Pick<CommandContext, "io">, report: ReportFinding): Promise<MachineFacts> {
  report({
    state: "ok",
    about: "version",
    text: `agent-service ${packageVersion()}, Node ${process.version.slice(1)}`,
  });
  const settings = await checkConfiguration(io, report);
  checkClock(report);
  if (settings === undefined) return {};
  checkDisk(settings.home, report);
  const owner = await checkStore(settings.store, report);
  return { lead: settings.lead, servers: settings.servers, ...(owner && { owner }) };
}

interface Declared {
  readonly home: string;
  readonly store: string;
  readonly lead: { readonly name: string; readonly baseUrl: string };
  readonly servers: readonly Finding[];
}

async function checkConfiguration(
  { env, checkoutRoot }: CommandContext["io"],
  report: ReportFinding,
): Promise<Declared | undefined> {
  const about = "config";
  const { ENVIRONMENT_VARIABLES, loadDeclared, namesModel } = await import("../settings/index.ts");
  const { isWritableFolder, resolvePaths, resolveStore } = await import("@agent-service/config");
  const paths = resolvePaths({ env, checkoutRoot });
  try {
    const { values, provenance, warnings } = loadDeclared({ env, checkoutRoot });
    const found = existsSync(paths.configFile) ? "is valid" : "is not there yet: the first start makes it";
    report({ state: "ok", about, text: `${paths.configFile} ${found}` });
    for (const { message } of warnings) report({ state: "warning", about, text: message });
    if (existsSync(paths.configDir) && !isWritableFolder(paths.configDir)) {
      report({
        ...{ state: "warning", about, text: `${paths.configDir} cannot be written: settings cannot be saved` },
        remedy: "intended where it is managed elsewhere; else give the service's user the right to write",
      });
    }
    const { isForbiddenVariable, resolveConnections, servingConnection } = await import(
      "@agent-service/agent-core/host"
    );
    const { savedServerFindings } = await import("./doctor/saved-server-findings.ts");
    const owned = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));
    const { connections, lead } = resolveConnections(values.providers, values.model);
    const asked = servingConnection(connections, lead)?.connection;
    const scripted = !namesModel(provenance) || asked?.type === "scripted";
    const from = provenance.get("checkpoint.db_path") ?? { layer: "default" as const };
    return {
      home: paths.home,
      store: resolveStore(values.checkpoint.db_path, { paths, instance: values.instance.id, from }),
      lead: { name: scripted ? "the scripted model" : lead, baseUrl: scripted ? "" : (asked?.baseUrl ?? "") },
      servers: savedServerFindings(values.mcp, {
        environment: env,
        isForbidden: (name) => isForbiddenVariable(name, { agentName: values.identity.name, owned }),
      }),
    };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const remedy = `correct that line; the service does not start with it, and a running one keeps its last settings`;
    report({ state: "failure", about, text: error.message, remedy });
    return undefined;
  }
}

function checkClock(report: ReportFinding): void {
  const now = Date.now();
  const built = statSync(new URL(import.meta.url)).mtimeMs;
  if (now >= built - DAY_MS) {
    report({ state: "ok", about: "clock", text: new Date(now).toISOString() });
    return;
  }
  report({
    ...{
      state: "failure",
      about: "clock",
      text: `it is ${new Date(now).toISOString()}, before this program was installed`,
    },
    remedy: "set the machine's clock: tokens, timers and times of tasks depend on it",
  });
}

function checkDisk(home: string, report: ReportFinding): void {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const state = free < FULL_BYTES ? "failure" : free < LOW_BYTES ? "warning" : "ok";
  const remedy = "make room: a full disk makes running turns wait and refuses new ones";
  report({ state, about: "disk", text: `${bytes(free)} free at ${folder}`, ...(state !== "ok" && { remedy }) });
}

async function checkStore(store: string, report: ReportFinding): Promise<MachineFacts["owner"]> {
  const about = "store";
  if (store === "") {
    const remedy = "set checkpoint.db_path to keep conversations";
    report({ state: "warning", about, text: "in memory only: a restart forgets everything", remedy });
    return undefined;
  }
  if (/^(libsql|https?):\/\//.test(store)) {
    report({ state: "ok", about, text: `on a server, ${new URL(store).host}: checked by the service only` });
    return undefined;
  }
  const { inspectStore } = await import("@agent-service/agent-core/host");
  const { exists, problem, pending, checked, owner, bytes: size } = await inspectStore(store, Date.now());
  if (!exists) {
    report({ state: "ok", about, text: `${store} does not exist yet: the first start creates it` });
    return undefined;
  }
  if (problem !== undefined) {
    const remedy = "restore a backup, or move the file away: the next start makes an empty one";
    report({ state: "failure", about, text: `${store}: ${problem}`, remedy });
    return undefined;
  }
  const held = owner === undefined ? "not in use" : `in use by ${owner.name}, process ${owner.pid} on ${owner.host}`;
  const steps = pending === 0 ? "" : `; the next start brings its schema up to date (${pending} steps, after a copy)`;
  report({ state: "ok", about, text: `${store}, ${bytes(size)}${checked ? ", sound" : ""}, ${held}${steps}` });
  return owner;
}
