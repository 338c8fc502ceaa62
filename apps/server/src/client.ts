/** What the command line runs for a command that talks to a service. */
import { checkoutRoot } from "./cli/index.ts";
import { processIo, runClientCommand } from "./client-commands/index.ts";

export { commandList } from "./client-commands/index.ts";

/** Runs `agent-service <command> …` and resolves with the exit code. */
export function runClient(args: readonly string[]): Promise<number> {
  return runClientCommand(args, processIo(process.env, checkoutRoot()));
}
