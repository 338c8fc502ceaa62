import { defineResource } from "../resource/index.ts";
import { commandOutputRoutes, readCommandOutput } from "./routes.ts";

/** What the agent's commands write. */
export const commandOutput = defineResource({
  name: "commandOutput",
  definitions: [readCommandOutput],
  topics: [
    {
      topic: "command.output",
      when: "A command wrote more, at most four times a second, or ended",
      data: "`task_id`, `call_id`, `bytes`, `done`",
    },
  ],
  routes: commandOutputRoutes,
});
