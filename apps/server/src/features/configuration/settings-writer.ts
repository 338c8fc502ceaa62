import { keysOf, type Section, type SettingEdit } from "@agent-service/config";
import { Problem, type SettingsWriter } from "@agent-service/operator-api";
import { SECTIONS, type SettingsSaver } from "../../settings/index.ts";
import { refuseMasked } from "./config-tree.ts";

/** Reset together, because each alone could name a model of the other's connection. */
const LEAD_KEYS = ["model.name", "model.provider", "model.api_base"];

/** Changes settings by their keys (B41 `/api/settings`). */
export function settingsWriter(saver: SettingsSaver): SettingsWriter {
  return {
    apply: ({ updates, layer, revision }, { refuseDecision }) =>
      saver.save(
        Object.entries(updates).map(([key, value]) => settingEdit(SECTIONS, key, value ?? undefined)),
        { layer, revision, refuseDecision },
      ),
    reset({ keys, layer, revision }, { refuseDecision }) {
      const all = new Set(keys.some((key) => LEAD_KEYS.includes(key)) ? [...keys, ...LEAD_KEYS] : keys);
      return saver.save(
        [...all].map((key) => settingEdit(SECTIONS, key, undefined)),
        { layer, revision, refuseDecision },
      );
    },
  };
}

/**
 * The change of a full dotted key.
 * @throws Problem 400 for an undeclared key, and for the connections, which have routes of their own
 */
export function settingEdit(sections: readonly Section[], full: string, value: unknown): SettingEdit {
  const [name = "", ...rest] = full.split(".");
  const key = rest.join(".");
  const section = sections.find((one) => one.name === name);
  if (section?.merge_by !== undefined) throw new Problem(400, `${full} is changed at /api/${name}.`);
  if (section === undefined || !keysOf(section.schema).some((one) => one.key === key))
    throw new Problem(400, `There is no setting ${full}.`);
  refuseMasked(section, key, value);
  return { section: name, key, value };
}
