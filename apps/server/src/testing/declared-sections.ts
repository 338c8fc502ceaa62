import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = new URL("../../../..", import.meta.url).pathname;

/** The folder of every section that a file of the repository declares, by the section's name. */
export function declaredSections(): ReadonlyMap<string, string> {
  return new Map(
    globSync("{packages,apps}/*/src/**/*-section.ts", { cwd: ROOT }).flatMap((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const [, name] = /^export const \w+Section = \{\n {2}name: "(\w+)",$/m.exec(text) ?? [];
      return name === undefined ? [] : [[name, dirname(file)] as const];
    }),
  );
}
