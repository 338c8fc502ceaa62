/** Trials of one call, whose kill is at a moment that is given. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ledger } from "../ledger.ts";
import type { TrialFolder } from "../service-life.ts";
import { call, type WireTask } from "../wire.ts";
import { checkMcpCalls } from "./check-calls.ts";
import { mcpSettings } from "./mcp-settings.ts";
import { type RemoteServers, startRemoteServers } from "./remote-servers.ts";

/** Where such a trial runs. */
export interface McpTrial {
  readonly folder: TrialFolder;
  readonly servers: RemoteServers;
  /** The file of the effects. */
  readonly effects: string;
  /** What the check of the trials finds wrong by now. */
  violations(): readonly string[];
}

/** Starts the servers, and makes a folder below `root` with settings that have them. */
export async function prepareMcpTrial(root: string, name: string): Promise<McpTrial> {
  const own = path.join(root, name);
  const [effects, file] = [`${own}/effects`, `${own}/agent.db`];
  const folder: TrialFolder = {
    ...{ home: `${own}/home`, config: `${own}/config`, deeds: `${own}/deeds`, epoch: Date.now() },
  };
  mkdirSync(own);
  for (const one of [folder.home, folder.config]) mkdirSync(one);
  const servers = await startRemoteServers(effects);
  const store = `checkpoint: { db_path: "${file}", on_restart: resume }\n`;
  writeFileSync(`${folder.config}/agent-config.yaml`, store + mcpSettings(servers.url));
  const violations = (): readonly string[] => {
    const ledger = new Ledger();
    checkMcpCalls(file, { effects, servers, ledger });
    return ledger.violations;
  };
  return { folder, servers, effects, violations };
}

/** Makes an A2A request that is answered with a task. */
export async function requestTask(
  url: string,
  method: "message/send" | "tasks/get",
  params: object,
): Promise<WireTask> {
  const reply = await call(url, { method, params });
  if (reply.kind === "error") throw new Error(reply.message);
  return reply.task;
}
