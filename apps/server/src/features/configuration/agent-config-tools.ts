import { type AnyTool, configTools } from "@agent-service/agent-core/host";
import { agentMayChange, describeProvenance } from "@agent-service/config";
import {
  isHidden,
  isSet,
  type LiveSettings,
  SECTIONS,
  type SettingsSaver,
  type SettingView,
  settingViews,
} from "../../settings/index.ts";
import { settingEdit } from "./settings-writer.ts";

/** A change that the model may not make. */
export class TrustSurfaceError extends Error {
  override readonly name = "TrustSurfaceError";
  readonly code = "set_config.trust-surface";
}

/**
 * `show_config` and `set_config` over the running service. One key that is not marked for the agent
 * refuses the whole write; without `tools.self_config_enabled` the agent does not get the second one (`toolPolicy`).
 */
export function agentConfigTools({ settings }: LiveSettings, saver: SettingsSaver): readonly AnyTool[] {
  return configTools({
    settings() {
      const { hidden } = settings.loaded.values.settings;
      return settingViews(SECTIONS, settings.loaded)
        .filter(({ key }) => !isHidden(hidden, key))
        .map((view) => ({ key: view.key, value: shown(view), source: describeProvenance(view.from) }));
    },
    async save(updates) {
      const refused = Object.keys(updates).filter((key) => !agentMayChange(SECTIONS, key));
      if (refused.length > 0)
        throw new TrustSurfaceError(`nothing was saved: only a person may change ${refused.join(", ")}`);
      const edits = Object.entries(updates).map(([key, value]) => settingEdit(SECTIONS, key, value ?? undefined));
      const { messages, restart_required: waiting } = await saver.save(edits);
      return waiting.length === 0 ? messages : [...messages, `Waiting for a restart: ${waiting.join(", ")}.`];
    },
  });
}

function shown(view: SettingView): string {
  if (view.secret) return isSet(view) ? "(secret, set)" : "(secret, not set)";
  return view.value === undefined ? "(unset)" : JSON.stringify(view.value);
}
