import { dirname, join } from "node:path";
import { commandChanges as engineFeature } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const commandChanges = defineServiceFeature({
  engine({ settings: { fileHistoryFolder } }) {
    makeFolder(dirname(fileHistoryFolder));
    // Where no tool and no command in a sandbox reaches.
    return engineFeature({ folder: join(fileHistoryFolder, "notes"), inherited: process.env });
  },
});
