/** The console's theme: `theme.json` in the home of the instance (B46 `/api/theme`). */
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeFileAtomic } from "@agent-service/config";
import type { Theme, ThemeService } from "@agent-service/operator-api";

/** Stores it in `file`. `changed` is called after each change. A file that cannot be read counts as none. */
export function themeFile(file: string, changed: () => void): ThemeService {
  return {
    async read() {
      try {
        const kept: unknown = JSON.parse(await readFile(file, "utf8"));
        return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as Theme) : null;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || error instanceof SyntaxError) return null;
        throw error;
      }
    },
    async save(theme) {
      makeFolder(dirname(file));
      writeFileAtomic(file, JSON.stringify(theme), { mode: 0o644, when: "replace" });
      changed();
    },
    async clear() {
      await rm(file, { force: true });
      changed();
    },
  };
}
