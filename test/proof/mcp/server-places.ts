/**
 * `McpServers` as the service has them, whose settings change while they run: each place has one server at a time, which is
 * added, called and removed as an operator would.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "valibot";
import { systemClock } from "../../../packages/agent-core/src/clock/index.ts";
import type { Database } from "../../../packages/agent-core/src/database/index.ts";
import { createEgress } from "../../../packages/agent-core/src/egress/index.ts";
import {
  DefinitionPins,
  McpError,
  McpServers,
  mcpSection,
  ProgramTransport,
} from "../../../packages/agent-core/src/mcp/index.ts";
import { Processes } from "../../../packages/agent-core/src/process/index.ts";
import { createRedactor } from "../../../packages/agent-core/src/redaction/index.ts";
import { jsonInput, OutcomeUnknownError } from "../../../packages/plugin-sdk/src/index.ts";
import { fakeContext } from "../../../packages/plugin-sdk/src/testing/index.ts";

/** A program of a server, as the settings have it. */
export interface Declaration {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
}

/** A server in its place, once it is connected or was found not to be. */
export interface PlacedServer {
  readonly state: string;
  /** Names of the tools it offers. */
  readonly tools: readonly string[];
  /** Calls one, and resolves with how that ended. */
  call(tool: string): Promise<string>;
  /** Takes it out of the settings, and resolves with how many lines its log had. */
  remove(): Promise<number>;
}

/** Where one server can be. */
export interface ServerPlace {
  use(declaration: Declaration): Promise<PlacedServer>;
}

/** The places. */
export interface ServerPlaces {
  /** Programs that are counted. */
  readonly running: number;
  /** Does something in a place that nothing else uses meanwhile. */
  take<T>(act: (place: ServerPlace) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** What they are made of. */
export interface PlacesOptions {
  readonly db: Database;
  readonly places: number;
  readonly timeoutSeconds: number;
  /** Of their names. */
  readonly prefix?: string;
  onWarning(text: string): void;
}

/** States that another state follows by itself. */
const ON_THE_WAY = ["idle", "starting"];
const LOOK_MS = 5;
/** Long, so that a regular expression of a server that runs here would be seen to hold the loop. */
const INPUT = { a: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" };

async function outcomeOf(called: () => unknown): Promise<string> {
  try {
    await called();
    return "answered";
  } catch (error) {
    if (error instanceof McpError) return error.code;
    if (error instanceof OutcomeUnknownError) return "unknown";
    throw error;
  }
}

/** Starts them; no place has a server yet. */
export async function startPlaces(options: PlacesOptions): Promise<ServerPlaces> {
  const { db, places, timeoutSeconds, prefix = "hostile", onWarning } = options;
  const clock = systemClock();
  const declared = new Map<string, Declaration>();
  const sectionOf = () =>
    parse(mcpSection.schema, {
      ...{ enabled: true, timeout_seconds: timeoutSeconds, call_timeout_seconds: timeoutSeconds },
      servers: [...declared].map(([name, declaration]) => ({ name, ...declaration })),
    });
  let section = sectionOf();
  const log = { warn: onWarning, debug() {} };
  const processes = new Processes({ db, clock, log, newId: () => crypto.randomUUID(), graceMs: 200 });
  const servers = new McpServers({
    ...{ clock, db, version: "1", inputOf: jsonInput, environment: process.env },
    // It warns of what its servers do, which is what they are there for.
    log: { info() {}, warn() {} },
    redactor: createRedactor({ secrets: () => [] }),
    bus: { publish() {} },
    pins: await DefinitionPins.open(db),
    settings: () => section,
    isForbidden: () => false,
    writable: () => [],
    sampler: { sample: () => Promise.reject(new Error("there is no model")) },
    source: {
      egressFor: () => createEgress(),
      stdio: (server, target, events) => new ProgramTransport({ processes, server, target, events }),
    },
    signIn: {
      grants: { read: () => undefined, save: async () => {} },
      egressFor: () => createEgress(),
      clientDocument: () => undefined,
    },
  });
  servers.start();
  const follow = (): void => {
    section = sectionOf();
    servers.follow();
  };
  const free = Array.from({ length: places }, (_, index) => `${prefix}-${index}`);

  const use = async (name: string, declaration: Declaration): Promise<PlacedServer> => {
    declared.set(name, declaration);
    follow();
    let state = servers.get(name)?.state ?? "";
    for (; ON_THE_WAY.includes(state); state = servers.get(name)?.state ?? "") await sleep(LOOK_MS);
    const offered = servers.tools().filter((tool) => tool.name.startsWith(`${name}__`));
    return {
      state,
      tools: offered.map((tool) => tool.name.slice(`${name}__`.length)),
      call: (own) =>
        outcomeOf(() => offered.find((tool) => tool.name === `${name}__${own}`)?.run(INPUT, fakeContext())),
      async remove() {
        const lines = servers.get(name)?.log.length ?? 0;
        declared.delete(name);
        follow();
        await servers.forget(name);
        return lines;
      },
    };
  };
  return {
    get running() {
      return processes.running;
    },
    async take(act) {
      const name = free.pop();
      if (name === undefined) throw new Error("more work at once than places");
      try {
        return await act({ use: (declaration) => use(name, declaration) });
      } finally {
        free.push(name);
      }
    },
    async stop() {
      await servers.stop();
      await processes.stop();
    },
  };
}
