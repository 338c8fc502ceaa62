// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
/** An MCP server that repeats every secret it was given: what is shown of it, and calls of its tools. */
import { fileURLToPath } from "node:url";
import type { Ask } from "./ask.ts";

const PROGRAM = fileURLToPath(new URL("repeating-server.ts", import.meta.url));
const SERVER = "repeating";
const TOOLS = ["answers", "fails", "breaks"];

/** What has to show something out of which a secret was taken. */
export const MCP_SHOWING = ["its MCP server", ...TOOLS.map((tool) => `${tool} of an MCP server`)];

/** The section and its secrets: written out, in arguments, in the environment, stored, and of a sign-in. */
export function mcpSettings(secrets: readonly string[]): {
  readonly config: object;
  readonly overlay: object;
} {
  const [accessToken = "", refreshToken = "", clientSecret = "", ...placed] = secrets;
  const [written = "", stored = "", ofArgument = "", ...others] = placed;
  // A sign-in that was made before.
  const signedIn = { issuer: "http://127.0.0.1:9", resource: "http://127.0.0.1:9/mcp", clientId: "agent" };
  const args = [PROGRAM, `--api-key=${ofArgument}`];
  const headers = Object.fromEntries(others.map((value, index) => [`X-Key-${index}`, value]));
  return {
    config: {
      enabled: true,
      servers: [
        { name: SERVER, command: process.execPath, args, env: { API_TOKEN: written, STORED: "${STORED}" } },
        // It is never reached; what is said of it is looked through.
        { name: "away", url: `http://127.0.0.1:9/mcp?access_token=${others[0] ?? ""}`, headers },
      ],
    },
    overlay: {
      secrets: { [SERVER]: { STORED: stored } },
      oauth: { away: JSON.stringify({ ...signedIn, accessToken, refreshToken, clientSecret }) },
    },
  };
}

/** Waits for the server's tools, calls each, and reads what is shown. `submitted`: a secret that is not saved. */
export async function mcpTraffic(ask: Ask, submitted: string): Promise<void> {
  const path = `/api/mcp/servers/${SERVER}`;
  for (let shown = ""; !shown.includes('"state":"ready"'); ) shown = await ask("its MCP server", path);
  for (const tool of TOOLS)
    await ask(`${tool} of an MCP server`, `/api/tools/${SERVER}__${tool}/call`, { body: { args: {} } });
  for (const what of ["", "/calls"]) await ask("its MCP server", `${path}${what}`);
  const unsaved = { name: "unsaved", command: process.execPath, args: [PROGRAM], env: { API_TOKEN: submitted } };
  await ask("a trial of an MCP server", "/api/mcp/servers/test", { body: unsaved });
  await ask("away", "/api/mcp/servers/away");
}
