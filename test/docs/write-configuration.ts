/** `pnpm docs:configuration`: writes the page. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { SECTIONS } from "../../apps/server/src/settings/index.ts";
import { CONFIGURATION_PATH, configurationPage } from "./configuration-page.ts";

writeFileSync(path.join(import.meta.dirname, "../..", CONFIGURATION_PATH), configurationPage(SECTIONS));
