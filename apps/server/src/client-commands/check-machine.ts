/** What can be looked at without the service. */
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { packageVersion, StartupError } from "../cli/index.ts";
import type { CommandContext } from "./command.ts";
import type { Tell } from "./finding.ts";
import { bytes } from "./terminal-text.ts";

/** What the rest of the checks needs to know. */
export interface MachineFacts {
  /** The process that owns the store of this configuration. */
  readonly owner?: { readonly name: string; readonly pid: number; readonly host: string };
  /** The lead model by the configuration, and the address it is asked at; blank: the scripted model. */
  readonly lead?: { readonly name: string; readonly baseUrl: string };
}

const LOW_BYTES = 1e9;
const FULL_BYTES = 100e6;
const DAY_MS = 86_400_000;

/** Looks at Node, configuration, store, disk and clock. */
export async function checkMachine({ io }: Pick<CommandContext, "io">, tell: Tell): Promise<MachineFacts> {
  tell({ state: "ok", about: "version", text: `agent-service ${packageVersion()}, Node ${process.version.slice(1)}` });
  const settings = await checkConfiguration(io, tell);
  checkClock(tell);
  if (settings === undefined) return {};
  checkDisk(settings.home, tell);
  const owner = await checkStore(settings.store, tell);
  return { lead: settings.lead, ...(owner && { owner }) };
}

interface Declared {
  readonly home: string;
  readonly store: string;
  readonly lead: { readonly name: string; readonly baseUrl: string };
}

async function checkConfiguration(
  { env, checkoutRoot }: CommandContext["io"],
  tell: Tell,
): Promise<Declared | undefined> {
  const about = "config";
  const { loadDeclared, namesModel } = await import("../settings/index.ts");
  const { isWritableFolder, resolvePaths, resolveStore } = await import("@agent-service/config");
  const paths = resolvePaths({ env, checkoutRoot });
  try {
    const { values, provenance, warnings } = loadDeclared({ env, checkoutRoot });
    const found = existsSync(paths.configFile) ? "is valid" : "is not there yet: the first start makes it";
    tell({ state: "ok", about, text: `${paths.configFile} ${found}` });
    for (const { message } of warnings) tell({ state: "warning", about, text: message });
    if (existsSync(paths.configDir) && !isWritableFolder(paths.configDir)) {
      tell({
        ...{ state: "warning", about, text: `${paths.configDir} cannot be written: settings cannot be saved` },
        remedy: "intended where it is managed elsewhere; else give the service's user the right to write",
      });
    }
    const { resolveConnections, servingConnection } = await import("@agent-service/agent-core/host");
    const { connections, lead } = resolveConnections(values.providers, values.model);
    const asked = servingConnection(connections, lead)?.connection;
    const scripted = !namesModel(provenance) || asked?.type === "scripted";
    const from = provenance.get("checkpoint.db_path") ?? { layer: "default" as const };
    return {
      home: paths.home,
      store: resolveStore(values.checkpoint.db_path, { paths, instance: values.instance.id, from }),
      lead: { name: scripted ? "the scripted model" : lead, baseUrl: scripted ? "" : (asked?.baseUrl ?? "") },
    };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const remedy = `mend that place; the service does not start from it, and one that runs keeps its last settings`;
    tell({ state: "failure", about, text: error.message, remedy });
    return undefined;
  }
}

function checkClock(tell: Tell): void {
  const now = Date.now();
  const built = statSync(new URL(import.meta.url)).mtimeMs;
  if (now >= built - DAY_MS) {
    tell({ state: "ok", about: "clock", text: new Date(now).toISOString() });
    return;
  }
  tell({
    ...{
      state: "failure",
      about: "clock",
      text: `it says ${new Date(now).toISOString()}, before this program was installed`,
    },
    remedy: "set the machine's clock: tokens, timers and times of tasks depend on it",
  });
}

function checkDisk(home: string, tell: Tell): void {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const state = free < FULL_BYTES ? "failure" : free < LOW_BYTES ? "warning" : "ok";
  const remedy = "make room: a full disk makes running turns wait and refuses new ones";
  tell({ state, about: "disk", text: `${bytes(free)} free at ${folder}`, ...(state !== "ok" && { remedy }) });
}

async function checkStore(store: string, tell: Tell): Promise<MachineFacts["owner"]> {
  const about = "store";
  if (store === "") {
    const remedy = "set checkpoint.db_path to keep conversations";
    tell({ state: "warning", about, text: "in memory only: a restart forgets everything", remedy });
    return undefined;
  }
  if (/^(libsql|https?):\/\//.test(store)) {
    tell({ state: "ok", about, text: `on a server, ${new URL(store).host}: looked at by the service alone` });
    return undefined;
  }
  const { inspectStore } = await import("@agent-service/agent-core/host");
  const { exists, problem, pending, checked, owner, bytes: size } = await inspectStore(store, Date.now());
  if (!exists) {
    tell({ state: "ok", about, text: `${store} is not there yet: the first start makes it` });
    return undefined;
  }
  if (problem !== undefined) {
    const remedy = "restore a backup, or move the file away: the next start makes an empty one";
    tell({ state: "failure", about, text: `${store}: ${problem}`, remedy });
    return undefined;
  }
  const held =
    owner === undefined ? "owned by nobody" : `owned by ${owner.name}, process ${owner.pid} on ${owner.host}`;
  const steps = pending === 0 ? "" : `; the next start brings its schema up to date (${pending} steps, after a copy)`;
  tell({ state: "ok", about, text: `${store}, ${bytes(size)}${checked ? ", sound" : ""}, ${held}${steps}` });
  return owner;
}
