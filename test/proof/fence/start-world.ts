import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestService, type TestService } from "../../../apps/server/src/testing/test-service.ts";
import type { World } from "./world.ts";

/** A service whose home, configuration and projects are those of a world. */
export function startInWorld(world: World): Promise<TestService> {
  const { home, config, root, projects } = world;
  const configure = (yaml: string): void => writeFileSync(join(config, "agent-config.yaml"), yaml);
  const rows = projects.map((project) => `  - ${JSON.stringify(project)}`);
  configure(`model: {name: "scripted:demo"}\nfilesystem: {code_pane: true}\nprojects:\n${rows.join("\n")}\n`);
  return startTestService({ folders: { home, config, root, configure, remove: () => {} } });
}
