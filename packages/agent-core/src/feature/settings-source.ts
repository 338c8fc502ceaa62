import type { SettingsSection } from "@agent-service/plugin-sdk";
import { parse } from "valibot";

/** Returns the settings of a section as they are now; the same object while nothing changed. */
export type SettingsSource = (section: SettingsSection) => unknown;

/** The defaults of every section, for a host without settings. */
export function defaultSettings(): SettingsSource {
  const parsed = new Map<SettingsSection, unknown>();
  return (section) => {
    if (!parsed.has(section)) parsed.set(section, parse(section.schema, section.merge_by === undefined ? {} : []));
    return parsed.get(section);
  };
}

/** An object with one field per section, read from the source at each use. */
export function liveSettings(sections: readonly SettingsSection[], source: SettingsSource): object {
  const live = {};
  for (const section of sections)
    Object.defineProperty(live, section.name, { enumerable: true, get: () => source(section) });
  return Object.freeze(live);
}
