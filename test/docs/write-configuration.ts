/**
 * `pnpm docs:configuration`: writes the page of settings, the tables of environment variables, and the example file that a
 * first start writes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ENVIRONMENT_VARIABLES, RESERVED_VARIABLES, SECTIONS } from "../../apps/server/src/settings/index.ts";
import { renderExample } from "../../packages/config/src/index.ts";
import { CONFIGURATION_PATH, configurationPage } from "./configuration-page.ts";
import { ENVIRONMENT_PATH, withEnvironmentTables } from "./environment-tables.ts";

const root = path.join(import.meta.dirname, "../..");
writeFileSync(path.join(root, CONFIGURATION_PATH), configurationPage(SECTIONS));
writeFileSync(path.join(root, "apps/server/agent-config.example.yaml"), renderExample(SECTIONS));
const readme = path.join(root, ENVIRONMENT_PATH);
writeFileSync(readme, withEnvironmentTables(readFileSync(readme, "utf8"), ENVIRONMENT_VARIABLES, RESERVED_VARIABLES));
