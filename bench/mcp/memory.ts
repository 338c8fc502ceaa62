/** What MCP keeps: nothing while it is off, and what one connected server takes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quantile } from "../closed-loop.ts";
import { settled } from "../memory.ts";
import { ownMb, type Server, startServer } from "../process.ts";
import { serviceCommand } from "../targets.ts";
import { type Entry, echoEntry, homeWith, startIn, untilReady } from "./service.ts";

const KEEP_MODULES = new URL("keep-modules.js", import.meta.url).href;
/** In the text of a file that has the SDK's client. */
const SDK_MARK = /class StreamableHTTPClientTransport|StreamableHTTPClientTransport = class/;

/** MB of the service alone that no other process shares: medians. Undefined where the system does not provide them. */
export interface McpMemoryFigures {
  /** A server is configured, and `mcp` is off. */
  readonly offMb: number | undefined;
  readonly connectedMb: number | undefined;
  /** Loaded files that have the SDK's client. */
  readonly offModules: number;
  readonly connectedModules: number;
}

const entries: readonly Entry[] = [echoEntry("echo")];

async function sdkModules(gateway: Server, isOn: boolean): Promise<number> {
  const home = homeWith(entries, isOn);
  const file = join(home, "modules");
  const command = serviceCommand(gateway, home);
  const args = ["--import", KEEP_MODULES, ...command.args];
  const server = await startServer({ ...command, args, env: { ...command.env, MODULES_FILE: file } });
  await untilReady(server, isOn ? 1 : 0);
  await server.stop();
  const urls = new Set(readFileSync(file, "utf8").split("\n"));
  const files = [...urls].filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
  return files.filter((path) => SDK_MARK.test(readFileSync(path, "utf8"))).length;
}

/** Starts both in turns and looks at each when it is quiet. */
export async function measureMcpMemory(gateway: Server, starts = 5): Promise<McpMemoryFigures> {
  const sides = [false, true].map((isOn) => ({ isOn, home: homeWith(entries, isOn), mb: [] as number[] }));
  for (let start = 0; start <= starts; start++) {
    for (const { isOn, home, mb } of sides) {
      const server = await startIn(gateway, home);
      await untilReady(server, isOn ? 1 : 0);
      const now = await settled(server, ownMb);
      await server.stop();
      // The first start makes the store.
      if (start > 0 && now !== undefined) mb.push(now);
    }
  }
  const [offMb, connectedMb] = sides.map(({ mb }) => (mb.length === 0 ? undefined : quantile(mb, 0.5)));
  return {
    ...{ offMb, connectedMb },
    offModules: await sdkModules(gateway, false),
    connectedModules: await sdkModules(gateway, true),
  };
}
