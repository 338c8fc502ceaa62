import { homedir } from "node:os";
import { join } from "node:path";
import { type Commands, runCommands } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import type { CommandOutputService } from "@agent-service/operator-api";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const runCommand = defineServiceFeature({
  engine: ({ settings, sandbox, logging }) => {
    const spool = join(settings.paths.home, settings.instance.id, "spool");
    const makeSpool = (): void => {
      try {
        makeFolder(spool);
      } catch (error) {
        logging.logger.warn(`${spool} cannot be made, so what commands write is not kept: ${String(error)}`);
        throw error;
      }
    };
    return runCommands({
      ...{ inherited: process.env, userHome: homedir(), sandbox, spool, makeSpool },
      isOpen: () => settings.credentials.bearer === undefined && settings.credentials.apiKey === undefined,
    });
  },
  services: (commands, { core }) => ({ commandOutput: commandOutputService(commands, core) }),
});

function commandOutputService(
  commands: Commands,
  { service }: { readonly service: { get(id: string): Promise<unknown> } },
): CommandOutputService {
  return {
    async read(task, call, after) {
      return (await service.get(task)) === undefined ? undefined : commands.output({ task, call }, after);
    },
  };
}
