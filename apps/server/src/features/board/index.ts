import { existsSync } from "node:fs";
import { isStoreServer, board as issueBoard, sessions } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { storeAddress } from "../../store/index.ts";
import { boardService } from "./board-service.ts";

export const board = defineServiceFeature({
  engine: ({ settings: { tasksDbPath: path } }) =>
    issueBoard({ url: () => storeAddress(path), exists: () => isMade(path) }),
  services({ issues, runs }, { settings, redact, opened }) {
    const exists = (): boolean => isMade(settings.tasksDbPath);
    return { board: boardService(issues, { redact, exists, runs, sessions: opened(sessions).catalog }) };
  },
  flags: () => ({ tasks: true }),
});

function isMade(path: string): boolean {
  return isStoreServer(path) || existsSync(path);
}
