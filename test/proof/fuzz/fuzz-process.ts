/** Starts what is fuzzed, and asks it how it is. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { bundledService } from "../bundled-service.ts";
import { setDeadline } from "../deadline.ts";
import { endStartedPrograms } from "../service-life.ts";
import type { FuzzServiceQuestion, FuzzServiceReport } from "./fuzz-service.ts";
import { type InstanceName, LISTED_ORIGIN, SECRETS } from "./grammar.ts";

/** A process at work. */
export interface FuzzProcess {
  readonly name: InstanceName | "idle";
  readonly port: number;
  /** The store's file. */
  readonly store: string;
  /** `collect`: garbage goes first; only as the last question. */
  state(question?: FuzzServiceQuestion): Promise<FuzzServiceState>;
  /** What it wrote to its log so far. */
  log(): string;
  /** Ended by itself, and how. */
  died(): string | undefined;
  stop(): Promise<void>;
}
export type FuzzServiceState = Extract<FuzzServiceReport, { kind: "state" }>;

const DEADLINE_MS = WAIT_LIMIT_MS;

const CONFIG = `
a2a:
  skills:
    - {id: chat, name: Chat, description: Talks.}
    - id: measure
      name: Measure
      description: Measures.
      result_mime: application/json
      output_schema: {type: object, required: [value], properties: {value: {type: number}}}
`;

function environmentOf(name: FuzzProcess["name"], folder: string): Record<string, string> {
  if (name === "idle") return { FUZZ_IDLE: "1" };
  const shared = { SVC_HOME: `${folder}/home`, SVC_CONFIG_DIR: `${folder}/config`, SVC_MODEL: "scripted:demo" };
  const logs = { SVC_UI: "none", LOG_LEVEL: "WARNING", LOG_FORMAT: "json" };
  const access: Record<string, string> =
    name === "open"
      ? { SVC_TRUSTED_HOSTS: "trusted.example" }
      : {
          A2A_AUTH_TOKEN: SECRETS.bearer,
          PROTOAGENT_API_KEY: SECRETS.apiKey,
          A2A_FEDERATION_TOKEN: SECRETS.federation,
          A2A_ALLOWED_ORIGINS: LISTED_ORIGIN,
          PUSH_NOTIFICATION_ALLOWED_CIDRS: "127.0.0.1/32",
        };
  return { ...shared, ...logs, ...access };
}

/** What a process is, and what it is given. */
export interface WatchedProcess<Name extends string> {
  readonly name: Name;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** YAML beside that of the store. */
  readonly settings: string;
}

/** Starts one, in a folder of its own under `root`. */
export function startFuzzProcess(name: FuzzProcess["name"], root: string): Promise<FuzzProcess> {
  return startWatchedProcess(root, (folder) => ({ name, variables: environmentOf(name, folder), settings: CONFIG }));
}

/** Starts a service beside a watch over its event loop, in a folder of its own under `root`. */
export async function startWatchedProcess<Name extends string>(
  root: string,
  inFolder: (folder: string) => WatchedProcess<Name>,
): Promise<Omit<FuzzProcess, "name"> & { readonly name: Name; readonly folder: string }> {
  const folder = mkdtempSync(path.join(root, "service-"));
  const { name, variables, settings } = inFolder(folder);
  const store = `${folder}/agent.db`;
  mkdirSync(`${folder}/home`, { recursive: true });
  mkdirSync(`${folder}/config`);
  writeFileSync(`${folder}/config/agent-config.yaml`, `checkpoint:\n  db_path: ${store}\n${settings}`);
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, ["--expose-gc", bundledService("fuzz-service")], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...{ PATH, HOME, TMPDIR },
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(tmpdir(), "proof-fuzz-compiled"),
      ...variables,
    },
  });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    log += chunk;
  });
  const closed = once(child, "close");
  let stopping = false;
  async function received<K extends FuzzServiceReport["kind"]>(
    kind: K,
  ): Promise<Extract<FuzzServiceReport, { kind: K }>> {
    const deadline = setDeadline(DEADLINE_MS);
    try {
      const signal = deadline.signal;
      const [message] = (await Promise.race([
        once(child, "message", { signal }),
        closed.then(() => [{ kind: "closed" }]),
      ])) as [FuzzServiceReport];
      if (message.kind !== kind)
        throw new Error(`the ${name} process sent ${message.kind}, not ${kind}: ${log.slice(-2000)}`);
      return message as Extract<FuzzServiceReport, { kind: K }>;
    } finally {
      deadline.clear();
    }
  }
  const { port } = await received("ready");
  return {
    ...{ name, port, store, folder },
    state(question = { collect: false }) {
      const state = received("state");
      child.send(question, () => {});
      return state;
    },
    log: () => log,
    died: () =>
      stopping || (child.exitCode ?? child.signalCode) === null
        ? undefined
        : `ended by ${child.exitCode ?? child.signalCode}`,
    async stop() {
      stopping = true;
      child.kill("SIGKILL");
      await closed;
      endStartedPrograms(store);
    },
  };
}
