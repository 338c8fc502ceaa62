import { existsSync } from "node:fs";
import { isStoreServer, board as issueBoard, sessions } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { storeAddress } from "../../store/index.ts";
import { boardService } from "./board-service.ts";

export const board = defineServiceFeature({
  engine: ({ settings }) => issueBoard({ url: () => storeAddress(settings.tasksDbPath) }),
  services({ issues, runs }, { settings, redact, opened }) {
    const { tasksDbPath: path } = settings;
    const exists = (): boolean => isStoreServer(path) || existsSync(path);
    return { board: boardService(issues, { redact, exists, runs, sessions: opened(sessions).catalog }) };
  },
  flags: () => ({ tasks: true }),
});
