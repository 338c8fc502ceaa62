import { changesOfCommands } from "../command-changes/index.ts";
import { defineFeature } from "../feature/index.ts";
import { files, filesystemSection } from "../filesystem/index.ts";
import { type CommandOptions, Commands } from "./commands.ts";
import { OutputSpool } from "./output-spool.ts";
import { runCommand } from "./run-command.ts";

/** Commands that the agent runs in projects. */
export function runCommands(options: CommandOptions) {
  return defineFeature({
    name: "run-command",
    category: "files",
    needs: [files, changesOfCommands],
    sections: [filesystemSection],
    topics: ["command.output"],
    open({ processes, clock, bus, log, redactor, journal }, { needs, settings }) {
      const outputs = new OutputSpool(options.spool, options.makeSpool, redactor);
      const { fence } = needs.filesystem;
      const isThere = async (task: string): Promise<boolean> => (await journal.get(task)) !== undefined;
      const changes = needs["command-changes"];
      const parts = { ...options, fence, processes, changes, clock, bus, log, outputs, isThere };
      return new Commands({ ...parts, settings: () => settings.filesystem });
    },
    tools: (commands) => [runCommand(commands)],
    forgetTasks: (commands, tasks) => commands.forget(tasks),
    sweep: (commands) => commands.sweep(),
  });
}
