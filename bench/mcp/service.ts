/** The built service with MCP servers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Server, startServer } from "../process.ts";
import { BENCH_TOKEN, newHome, serviceCommand } from "../targets.ts";

/** The program of a server that echoes. */
export const ECHO_SERVER = fileURLToPath(new URL("echo-server.js", import.meta.url));

/** An entry of `mcp.servers`. */
export type Entry = Readonly<Record<string, unknown>>;

/** An entry of a server that echoes. */
export function echoEntry(name: string, more: Entry = {}): Entry {
  return { name, command: process.execPath, args: [ECHO_SERVER], ...more };
}

/** Servers that never connect: a command that does not exist, a program that ends, a service that is not there. */
export function deadEntries(count: number): readonly Entry[] {
  const kinds: readonly Entry[] = [
    { command: "a-command-that-does-not-exist" },
    { command: process.execPath, args: ["-e", "process.exit(1)"] },
    { transport: "streamable_http", url: "http://127.0.0.1:9/mcp" },
  ];
  return Array.from({ length: count }, (_, at) => ({ name: `dead${at}`, ...kinds[at % kinds.length] }));
}

/** A new home, whose settings have these servers. */
export function homeWith(servers: readonly Entry[], enabled = servers.length > 0): string {
  const home = newHome();
  mkdirSync(join(home, "config"), { recursive: true });
  const settings = servers.length === 0 ? "" : `mcp: ${JSON.stringify({ enabled, servers })}\n`;
  writeFileSync(join(home, "config", "agent-config.yaml"), settings);
  return home;
}

/** Starts the service in a home. `nodeArgs` come before the program. */
export function startIn(
  gateway: Pick<Server, "port">,
  home: string,
  nodeArgs: readonly string[] = [],
): Promise<Server> {
  const command = serviceCommand(gateway, home);
  return startServer({ ...command, args: [...nodeArgs, ...command.args] });
}

/** Waits until so many servers are connected. @throws Error where they are not within 30 seconds */
export async function untilReady(server: Server, count: number): Promise<void> {
  for (let look = 0; look < 300; look++) {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/mcp/servers`, {
      headers: { authorization: `Bearer ${BENCH_TOKEN}` },
    });
    const { servers } = (await response.json()) as { readonly servers: readonly { readonly state: string }[] };
    if (servers.filter(({ state }) => state === "ready").length >= count) return;
    await sleep(100);
  }
  throw new Error(`not all of ${count} MCP servers were connected`);
}
