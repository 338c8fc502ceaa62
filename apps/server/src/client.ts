/** What the command line runs when it is told to talk to a service. */
import { checkoutRoot } from "./checkout-root.ts";
import { processIo, runClientCommand } from "./client-commands/index.ts";

export { commandList } from "./client-commands/index.ts";

/** Runs `agent-service <command> …` and resolves with the exit code. */
export function runClient(args: readonly string[]): Promise<number> {
  return runClientCommand(args, processIo(process.env, checkoutRoot()));
}
