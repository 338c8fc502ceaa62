import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { CodingAgent, CodingAgentsService } from "@agent-service/operator-api";

/** Commands with the Agent Client Protocol, as their vendors document them. */
const KNOWN: readonly CodingAgent[] = [
  { id: "claude-code", label: "Claude Code", command: "claude-code-acp", args: [] },
  { id: "codex", label: "Codex CLI", command: "codex-acp", args: [] },
  { id: "gemini", label: "Gemini CLI", command: "gemini", args: ["--experimental-acp"] },
  { id: "goose", label: "Goose", command: "goose", args: ["acp"] },
  { id: "opencode", label: "OpenCode", command: "opencode", args: ["acp"] },
];

/** The known coding agents whose command is on `path`. None is started. */
export function codingAgents(path: () => string | undefined): CodingAgentsService {
  return {
    async detected() {
      const folders = (path() ?? "").split(delimiter).filter((folder) => folder !== "");
      const found = await Promise.all(KNOWN.map(({ command }) => isThere(command, folders)));
      return KNOWN.filter((_, at) => found[at]);
    },
  };
}

async function isThere(command: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    try {
      await access(join(folder, command), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
    }
  }
  return false;
}
