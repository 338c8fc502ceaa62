/** The configuration as the operator API reads it: from the live settings, at each request. */
import { revisionOf } from "@agent-service/config";
import type { OperatorServices } from "@agent-service/operator-api";
import { type ConfigSource, configReader, providersList, settingsForms } from "./configuration/index.ts";
import { type LiveSettings, SECTIONS } from "./sections/index.ts";

/** The services of `/api/config`, `/api/settings` and `/api/providers` that read. */
export function configurationServices(
  live: LiveSettings,
): Pick<OperatorServices, "configuration" | "settings" | "providers"> {
  const { settings } = live;
  const revision = (): string => revisionOf(settings.paths);
  const source: ConfigSource = {
    sections: SECTIONS,
    loaded: () => settings.loaded,
    hidden: () => settings.loaded.values.settings.hidden,
    revision,
    setup: () => settings.setup,
    restartRequired: () => live.restartRequired(),
    rejected: () => live.rejected,
    soul: () => "",
    presets: () => [],
  };
  return {
    configuration: configReader(source),
    settings: settingsForms(source),
    providers: providersList({ registry: () => settings.models, provenance: () => settings.provenance, revision }),
  };
}
