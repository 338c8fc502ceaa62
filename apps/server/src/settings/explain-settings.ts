/** What `config explain` prints. */
import { type Explained, explained } from "./explained.ts";
import { SECTIONS } from "./sections.ts";
import { settingViews } from "./setting-views.ts";
import type { loadDeclared } from "./settings.ts";

/** Describes each setting and where its value comes from, or the one under `key`; undefined where there is none. */
export function explainSettings(
  loaded: ReturnType<typeof loadDeclared>,
  key: string | undefined,
): Explained | undefined {
  return explained(settingViews(SECTIONS, loaded), key);
}
