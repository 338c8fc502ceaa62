/** `pnpm new feature <name>`: writes a feature with a tool, settings, a table, a resource, a command and a screen. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { writeFeature } from "./write-feature.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program of the repository in its root, and ends this process where it fails. */
function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(1);
}

const [kind, name, ...others] = process.argv.slice(2);
if (kind !== "feature" || name === undefined || others.length > 0) {
  console.error("Usage: pnpm new feature <name>, with a name such as reading-list");
  process.exit(2);
}
try {
  const { created, changed } = writeFeature(root, name);
  // The order of imports and the breaks of lines follow from the length of the name.
  const sources = [...created, ...changed].filter((file) => !file.endsWith(".md"));
  run("node_modules/@biomejs/biome/bin/biome", "check", "--write", "--log-level=error", ...sources);
  run("--conditions=@agent-service/source", "test/docs/write-configuration.ts");
  run("--conditions=@agent-service/source", "test/architecture/write-public-names.ts");
  console.log(created.map((file) => `created ${file}`).join("\n"));
  console.log(changed.map((file) => `one line in ${file}`).join("\n"));
  console.log(`docs/configuration.md, the example file and the public names are written again

Next: replace the example by what the feature does. "Add a feature" in docs/architecture.md describes each file.
Its tests: pnpm exec vitest run ${name}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
