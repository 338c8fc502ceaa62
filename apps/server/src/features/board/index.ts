import { existsSync } from "node:fs";
import { isStoreServer, board as issueBoard } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { storeAddress } from "../../store/index.ts";
import { boardService } from "./board-service.ts";

export const board = defineServiceFeature({
  engine: ({ settings }) => issueBoard({ url: () => storeAddress(settings.tasksDbPath) }),
  services(board, { settings, redact }) {
    const { tasksDbPath: path } = settings;
    return { board: boardService(board, { redact, exists: () => isStoreServer(path) || existsSync(path) }) };
  },
  flags: () => ({ tasks: true }),
});
