/** `pnpm docs:configuration`: writes the page of settings, and the example file that a first start puts in place. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { SECTIONS } from "../../apps/server/src/settings/index.ts";
import { renderExample } from "../../packages/config/src/index.ts";
import { CONFIGURATION_PATH, configurationPage } from "./configuration-page.ts";

const root = path.join(import.meta.dirname, "../..");
writeFileSync(path.join(root, CONFIGURATION_PATH), configurationPage(SECTIONS));
writeFileSync(path.join(root, "apps/server/agent-config.example.yaml"), renderExample(SECTIONS));
