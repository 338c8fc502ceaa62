import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the skills that ship: beside the sources and the built modules, or beside a bundle that has this module. */
export function shippedSkills(): string {
  const folders = ["../../skills/", "./skills/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((folder) => existsSync(folder)) ?? (folders[0] as string);
}
