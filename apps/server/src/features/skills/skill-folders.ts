import { join, resolve } from "node:path";
import { expandHome } from "@agent-service/config";
import type { ServerSettings } from "../../settings/index.ts";

type FolderSettings = Pick<ServerSettings, "skills" | "knowledge" | "paths">;

/** Where skills are written: the commons where everything is shared, else `skills.dir`, else beside the configuration. */
export function skillsFolder(settings: FolderSettings): string {
  const { skills, knowledge, paths } = settings;
  if (knowledge.scope === "shared") return sharedFolder(settings);
  return skills.dir === "" ? join(paths.configDir, "skills") : resolve(paths.configDir, expandHome(skills.dir));
}

/** Where skills of other agents are read, and promoted to; blank: nowhere (K26). */
export function commonsFolder(settings: FolderSettings): string {
  return settings.knowledge.scope === "layered" ? sharedFolder(settings) : "";
}

function sharedFolder({ knowledge: { commons_path: path }, paths }: FolderSettings): string {
  return join(path === "" ? join(paths.home, "commons") : resolve(paths.home, expandHome(path)), "skills");
}
