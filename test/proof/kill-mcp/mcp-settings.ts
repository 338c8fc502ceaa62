/** The MCP servers of a trial, as its settings have them, and when they are there. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LostError } from "../wire.ts";

const PROGRAM = fileURLToPath(new URL("counting-program.ts", import.meta.url));
const SERVERS = 5;
/** Seconds after which a task that does not end is given up. */
const LYING_SECONDS = 2;
const LOOK_MS = 5;

/** The section `mcp`. `url`: where the servers over HTTP are, which count the program's effects too. */
export function mcpSettings(url: string): string {
  const servers = [
    { name: "counted", command: process.execPath, args: [PROGRAM, url] },
    { name: "older", url: `${url}/older` },
    { name: "remote", url: `${url}/remote` },
    { name: "works", url: `${url}/works` },
    { name: "lies", url: `${url}/lies`, call_timeout: LYING_SECONDS },
  ];
  return `mcp: ${JSON.stringify({ enabled: true, servers })}\n`;
}

/** Waits until the tools of all of them are pinned: from then on every life has them from its start. @throws LostError */
export async function untilShown(url: string): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/api/mcp/servers`)
      .then((response) => response.json() as Promise<{ readonly servers: readonly { readonly state: string }[] }>)
      .catch((error: unknown) => {
        throw new LostError(String(error));
      });
    if (reply.servers.filter(({ state }) => state === "ready").length === SERVERS) return;
    await sleep(LOOK_MS);
  }
}
