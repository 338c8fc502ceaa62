import { promptSnapshots } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { promptsOfTask } from "./prompts-of-task.ts";

export const prompts = defineServiceFeature({
  engine: () => promptSnapshots,
  services(snapshots, { settings, core }) {
    const ofTask = promptsOfTask(snapshots, core);
    return {
      prompts: {
        enabled: () => settings.prompts.capture,
        // Pending captures are written first, so that a read contains every earlier call.
        ofTask: (task) => snapshots.flush().then(() => ofTask(task)),
        last: (session) => snapshots.flush().then(() => snapshots.last(session)),
        retention: () => snapshots.flush().then(() => snapshots.retention()),
      },
    };
  },
  flags: ({ settings }) => ({ prompts: settings.prompts.capture }),
});
