/** Checks of the MCP servers as they are saved, where no service runs that could be asked. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import {
  childEnvironment,
  type McpSectionValue,
  type McpServerSettings,
  readMcpServers,
  resolveTarget,
  type StdioTarget,
} from "@agent-service/agent-core/host";
import { unpinnedWarning } from "../../package-pins/index.ts";
import type { Finding } from "../finding.ts";

const about = "mcp";

/** What servers are given of this machine. */
export interface ServerSurroundings {
  readonly environment: { readonly [name: string]: string | undefined };
  isForbidden(name: string): boolean;
}

/** What to say of servers that are switched on; nothing while MCP is off. */
export function savedServerFindings(section: McpSectionValue, around: ServerSurroundings): readonly Finding[] {
  if (!section.enabled) return [];
  const { entries, warnings } = readMcpServers(section);
  const on = entries.filter((entry) => (entry.kind === "server" ? entry.settings.enabled : entry.enabled));
  const found = [
    ...warnings.map((text) => warning(text)),
    ...on.flatMap((entry) =>
      entry.kind === "misconfigured"
        ? [warning(`${entry.name}: ${entry.problem}`)]
        : findingsOf(entry.settings, section, around),
    ),
  ];
  const count = on.length === 1 ? "1 server is" : `${on.length} servers are`;
  const state = found.length === 0 ? "ok" : "warning";
  const text = `${count} switched on; ${found.length === 0 ? "nothing was found" : "what follows was found"} without the service`;
  return on.length === 0 ? [] : [{ state, about, text }, ...found];
}

function findingsOf(
  { name, target, inheritEnv }: McpServerSettings,
  { secrets }: McpSectionValue,
  { environment, isForbidden }: ServerSurroundings,
): readonly Finding[] {
  const resolved = resolveTarget(target, { secrets: secrets[name] ?? {}, inheritEnv, environment, isForbidden });
  const remedy = `agent-service mcp set ${name} asks for what is missing, once the service runs`;
  const missing = resolved.ok ? [] : [warning(`${name}: ${resolved.problem}`, remedy)];
  if (target.transport !== "stdio") return missing;
  const { env } = resolved.ok && resolved.target.transport === "stdio" ? resolved.target : target;
  const whole = childEnvironment({ inherited: environment, inheritEnv, env, isForbidden });
  const unpinned = unpinnedWarning(target.command, target.args);
  return [
    ...programFindings(name, target, whole.PATH ?? ""),
    ...missing,
    ...(unpinned === undefined ? [] : [warning(`${name}: ${unpinned}`)]),
  ];
}

function programFindings(name: string, { command, cwd }: StdioTarget, path: string): readonly Finding[] {
  if (command.includes("/") || isAbsolute(command))
    return isProgram(resolve(cwd ?? "", command))
      ? []
      : [warning(`${name}: its command is no program that may be run`, "mend the path, or the right to run it")];
  if (path.split(delimiter).some((folder) => isProgram(join(folder, command)))) return [];
  const remedy = "install it, or write its whole path as command";
  return [warning(`${name}: there is no program of its command on PATH`, remedy)];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function warning(text: string, remedy?: string): Finding {
  return { state: "warning", about, text, ...(remedy !== undefined && { remedy }) };
}
