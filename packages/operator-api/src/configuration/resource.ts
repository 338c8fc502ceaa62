import { defineResource } from "../resource/index.ts";
import {
  completeSetup,
  configurationRoutes,
  explainConfig,
  readConfig,
  readPreset,
  readSetupStatus,
  resetSetup,
  saveConfig,
  setupRoutes,
} from "./routes.ts";

/** The configuration and the persona. */
export const configuration = defineResource({
  name: "configuration",
  definitions: [readConfig, saveConfig, explainConfig, readPreset],
  topics: [
    {
      topic: "config.changed",
      when: "Settings or the persona took effect, or settings that were refused are mended",
      data: "`keys`; `soul` for the persona; none where what ran is what counts again",
    },
    { topic: "config.rejected", when: "Edited settings were refused; what ran runs on", data: "`reason`" },
  ],
  routes: configurationRoutes,
});

/** The first configuration of an agent. */
export const setup = defineResource({
  name: "setup",
  feature: "setup",
  definitions: [readSetupStatus, completeSetup, resetSetup],
  routes: setupRoutes,
});
