import type { Printed } from "../cli/index.ts";
import type { ClientCommand } from "./command.ts";
import * as commands from "./commands.ts";

/** Every command that talks to a service, in the order of `--help`. */
export const COMMANDS: readonly ClientCommand[] = Object.freeze(
  Object.values<ClientCommand>(commands).sort((a, b) => a.order - b.order),
);

/** The part of `agent-service --help` that lists the commands, a line each. */
export function commandList(): Printed {
  const rows = COMMANDS.map(({ name, summary }): readonly [string, string] => [
    name,
    // A name such as MCP stays as it is written.
    /^[A-Z]{2}/.test(summary) ? summary : summary.charAt(0).toLowerCase() + summary.slice(1),
  ]);
  const width = Math.max(12, ...rows.map(([name]) => name.length + 1));
  return {
    text: rows.map(([name, summary]) => `  ${name.padEnd(width)} ${summary}\n`).join(""),
    json: { commands: COMMANDS.map(({ name, summary, usage }) => ({ name, summary, usage })) },
  };
}
