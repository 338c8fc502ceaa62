import { join } from "node:path";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { themeFile } from "./theme-file.ts";

export const theme = defineServiceFeature({
  services: (_, { settings, core }) => ({
    theme: themeFile(join(settings.paths.home, settings.instance.id, "theme.json"), () =>
      core.bus.publish("theme.changed", {}),
    ),
  }),
  flags: () => ({ theme: true }),
});
