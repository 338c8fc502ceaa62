import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** `tasks`: the engine's store (R12). `observation`: turn rows and prompt snapshots. `board`: issues. `knowledge`: memories. `skills`: versions of skills and persona. `memory`: summaries of conversations. */
export type StoreSchema = "tasks" | "observation" | "board" | "knowledge" | "skills" | "memory";

/** The folder of a schema's migrations: beside the sources and the built modules, or beside a bundle that has this module. */
export function shippedMigrations(schema: StoreSchema): string {
  const folders = ["../../migrations/", "./migrations/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const shipped = folders.find((folder) => existsSync(`${folder}0000_ground.sql`)) ?? (folders[0] as string);
  return schema === "tasks" ? shipped : `${shipped}${schema}/`;
}
