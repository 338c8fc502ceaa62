/** A service that is given what is meant to harm it, and what is asked of it. */
import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startWatchedProcess } from "../fuzz/fuzz-process.ts";

export const TOKENS = { operator: "operator-token", federation: "peer-token" } as const;

/** `open`: other machines may ask it without a credential. */
export type InstanceKind = "closed" | "open";

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** What the text says as JSON. */
  readonly body: { readonly [name: string]: unknown };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly as?: keyof typeof TOKENS;
}

export interface AskedService {
  readonly store: string;
  /** The folder of its project. */
  readonly project: string;
  ask(asked: Asked): Promise<Answer>;
  /** Standstills since it was asked before: what its thread computed in the worst, and how long that was. */
  stalls(): Promise<{ readonly heldMs: number; readonly stoodMs: number }>;
  /** Waits until no turn runs or waits but those that wait for a person. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = "egress: {allowed_hosts: ['127.0.0.1']}\nfilesystem: {sandbox: off}\n";

export async function startAskedService(root: string, kind: InstanceKind): Promise<AskedService> {
  const process = await startWatchedProcess(root, (folder) => {
    mkdirSync(`${folder}/home/workspace`, { recursive: true });
    return { name: kind, settings: SETTINGS, variables: variablesOf(kind, folder) };
  });
  let seen = 0;
  return {
    store: process.store,
    project: `${process.folder}/home/workspace`,
    async ask({ method, path, body, as = "operator" }) {
      const response = await fetch(`http://127.0.0.1:${process.port}${path}`, {
        method,
        headers: {
          "content-type": "application/json",
          ...(kind === "closed" && { authorization: `Bearer ${TOKENS[as]}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, body: readJson(text) };
    },
    async stalls() {
      const { stalls } = await process.state();
      const own = stalls.slice(seen);
      seen = stalls.length;
      const most = (of: readonly number[]): number => Math.max(0, ...of);
      return { heldMs: most(own.map(({ cpuMs }) => cpuMs)), stoodMs: most(own.map(({ wallMs }) => wallMs)) };
    },
    async rest() {
      while ((await process.state()).busy > 0) await sleep(20);
    },
    stop: process.stop,
  };
}

function variablesOf(kind: InstanceKind, folder: string): Record<string, string> {
  return {
    ...{ SVC_HOME: `${folder}/home`, SVC_CONFIG_DIR: `${folder}/config`, SVC_MODEL: "scripted:demo" },
    ...{ SVC_UI: "none", LOG_LEVEL: "WARNING" },
    ...(kind === "open"
      ? { SVC_HOST: "0.0.0.0", SVC_ALLOW_OPEN: "1" }
      : { A2A_AUTH_TOKEN: TOKENS.operator, A2A_FEDERATION_TOKEN: TOKENS.federation }),
  };
}

function readJson(text: string): Answer["body"] {
  try {
    return JSON.parse(text) as Answer["body"];
  } catch {
    return {};
  }
}
