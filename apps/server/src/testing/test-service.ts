import { existsSync } from "node:fs";
import { join } from "node:path";
import { createStoreThreads, type StoreThreads } from "@agent-service/agent-core/host";
import { type ComposedService, type ComposeOptions, compose } from "../compose.ts";
import { openSecrets } from "../secrets/index.ts";
import { createLiveSettings, type LiveSettings } from "../settings/index.ts";
import { openServiceStore } from "../store/index.ts";
import { type TemporaryFolders, temporaryFolders, type Wire, wireTo } from "./index.ts";

// One pair for the whole process: threads of its own would be half of what starting a service costs.
const sharedThreads = createStoreThreads({ stay: true });

export interface TestServiceOptions
  extends Pick<
    ComposeOptions,
    "tools" | "failpoints" | "bounds" | "exit" | "clock" | "consoleDirectory" | "readTables"
  > {
  /** The threads of its stores. Default: those that all services of the process share. */
  readonly threads?: StoreThreads;
  /** `agent-config.yaml`. Default: next to nothing in it; the scripted model leads. With `folders`: theirs, where they have one. */
  readonly config?: string;
  /** Beside `SVC_HOME`, `SVC_CONFIG_DIR`, `SVC_DISABLE_MEMORY` and, where the configuration names no model, `SVC_MODEL`. */
  readonly env?: { readonly [name: string]: string };
  /** Folders of an earlier service, to start again on its store; they stay when this one stops. */
  readonly folders?: TemporaryFolders;
  readonly ui?: "console" | "none";
}

/** A service in this process, on a port of its own. */
export interface TestService extends AsyncDisposable {
  readonly service: ComposedService;
  readonly live: LiveSettings;
  readonly port: number;
  readonly url: string;
  readonly folders: TemporaryFolders;
  /** Log lines so far. */
  readonly log: readonly string[];
  /** An A2A client; on an open instance it is the operator. */
  readonly wire: Wire;
  /** An A2A client with these headers, such as a credential. */
  wireAs(headers: { readonly [name: string]: string }): Wire;
  /** Stops as a signal does, with `graceMs` for running turns. Rejects when an answer of `/api` did not fit its schema. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/** How long a turn waits for its memory is a matter of the machine's speed: in tests it waits. */
export const PATIENT_RECALL = "knowledge: {recall_timeout_ms: 60000}\n";

const WITHOUT_SUMMARIES = { SVC_DISABLE_MEMORY: "yes" } as const;
/** In the environment of a service that keeps summaries of conversations, and shows lines of them. */
export const WITH_SUMMARIES = { SVC_DISABLE_MEMORY: "" } as const;

/** Composes the real service on a free port with folders of its own. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { tools, failpoints, bounds, exit, clock, consoleDirectory, readTables, threads = sharedThreads } = options;
  const folders = options.folders ?? temporaryFolders();
  if (options.config !== undefined || !existsSync(join(folders.config, "agent-config.yaml"))) {
    // The example of a first run would be ten times as much text to write and to read.
    folders.configure(options.config ?? PATIENT_RECALL);
  }
  const named = /^(model|providers):/m.test(options.config ?? "");
  const env = {
    SVC_HOME: folders.home,
    SVC_CONFIG_DIR: folders.config,
    ...(named ? {} : { SVC_MODEL: "scripted:demo" }),
    // Summaries are written a second behind the turns: which requests hold lines of them would be chance.
    ...WITHOUT_SUMMARIES,
    ...options.env,
  };
  const log: string[] = [];
  const misfits: string[] = [];
  const from = { env, flags: { port: 0, ui: options.ui ?? "none" } };
  const secrets = await openSecrets(from);
  const live = createLiveSettings({ ...from, env: secrets.manager.environment() });
  const service = await compose(live, {
    secrets,
    store: (settings, bound) => openServiceStore(settings, { ...bound, threads }),
    write: (line) => void log.push(line),
    onMisfit: (misfit) => void misfits.push(misfit),
    ...(tools && { tools }),
    ...(failpoints && { failpoints }),
    ...(bounds && { bounds }),
    ...(exit && { exit }),
    ...(clock && { clock }),
    ...(readTables && { readTables }),
    ...(consoleDirectory !== undefined && { consoleDirectory }),
  });
  let stopped: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    service.stopAccepting();
    await service.drain(graceMs);
    await service.close();
    if (options.folders === undefined) folders.remove();
    if (misfits.length > 0) throw new Error(`answers that do not fit their schemas: ${misfits.join("; ")}`);
  };
  const handle: Omit<TestService, typeof Symbol.asyncDispose> = {
    service,
    live,
    port: service.port,
    url: service.url,
    folders,
    log,
    wire: wireTo(service.url),
    wireAs: (headers) => wireTo(service.url, headers),
    stop: ({ graceMs = 0 } = {}) => (stopped ??= stop(graceMs)),
  };
  return { ...handle, [Symbol.asyncDispose]: () => handle.stop() };
}
