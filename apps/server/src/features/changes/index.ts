import { dirname } from "node:path";
import { fileHistory } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { changesService } from "./changes-service.ts";

export const changes = defineServiceFeature({
  engine({ settings: { fileHistoryFolder: folder } }) {
    makeFolder(dirname(folder));
    return fileHistory({ folder });
  },
  services: ({ changes }, { redact }) => ({ changes: changesService(changes, redact) }),
  flags: ({ settings }) => ({ changes: settings.filesystem.enabled }),
});
