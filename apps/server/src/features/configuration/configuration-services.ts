/** The configuration as the operator API reads and changes it: the live settings, at each request. */
import { createModelRouter, createRedactor, ModelConfigError, tryModel } from "@agent-service/agent-core/host";
import { revisionOf } from "@agent-service/config";
import { type OperatorServices, Problem } from "@agent-service/operator-api";
import type { ComposedModels } from "../../model-layer/index.ts";
import { PERSONA_PRESETS, type PersonaFile } from "../../persona/index.ts";
import { createSettingsSaver, type LiveSettings, SECTIONS, type ServerSettings } from "../../settings/index.ts";
import { type ConfigSource, configReader } from "./config-reader.ts";
import { configWriter } from "./config-writer.ts";
import { providersList } from "./providers-list.ts";
import { providersWriter } from "./providers-writer.ts";
import { settingsForms } from "./settings-forms.ts";
import { settingsWriter } from "./settings-writer.ts";

/** The services of `/api/config`, `/api/settings` and `/api/providers`. */
export function configurationServices(
  live: LiveSettings,
  { connectionOf }: Pick<ComposedModels, "connectionOf">,
  persona: PersonaFile,
  fetched: () => readonly string[],
): Required<Pick<OperatorServices, "configuration" | "setup" | "settings" | "providers">> {
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
    soul: () => persona.text(),
    presets: () => PERSONA_PRESETS,
    fetched,
  };
  const providers = providersList({
    registry: () => settings.models,
    provenance: () => settings.provenance,
    revision,
  });
  const saver = createSettingsSaver(live);
  const configuration = {
    ...configReader(source),
    ...configWriter({
      live,
      saver,
      revision,
      writeSoul: soulWriter(settings, persona),
      probe: (next) => probeLead(next, connectionOf),
    }),
  };
  return {
    configuration,
    setup: configuration,
    settings: { ...settingsForms(source), ...settingsWriter(saver) },
    providers: { ...providers, ...providersWriter(settings, providers, saver) },
  };
}

function soulWriter(settings: ServerSettings, persona: PersonaFile): (text: string) => void {
  return (text) => {
    if (settings.setup.managed)
      throw new Problem(409, "The configuration folder cannot be written: its owner manages it elsewhere.");
    persona.write(text);
  };
}

/**
 * Tests the lead model of settings that are not in effect yet, so that setup ends with a working model.
 * @throws Problem 400 with the reason when there is none
 */
async function probeLead(
  { model, models, secrets }: ServerSettings,
  connectionOf: ComposedModels["connectionOf"],
): Promise<void> {
  // Its error may quote a key that only these settings know.
  const redactor = createRedactor({ secrets: () => secrets });
  const refusal = (reason: string): Problem =>
    new Problem(400, `${models.lead} does not answer, so nothing was saved: ${redactor.text(reason)}`);
  const router = createModelRouter({
    connections: models.connections.map(connectionOf),
    defaultModel: models.lead,
    requestTimeoutMs: model.request_timeout * 1000,
  });
  try {
    const { answer } = await tryModel(router.resolve());
    if (!answer.ok) throw refusal(answer.error);
  } catch (error) {
    throw error instanceof ModelConfigError ? refusal(error.message) : error;
  } finally {
    await router.close();
  }
}
