/** What `config explain` prints. */
import { explainText } from "./explain-text.ts";
import { SECTIONS } from "./sections.ts";
import { settingViews } from "./setting-views.ts";
import type { loadDeclared } from "./settings.ts";

/** Says what each setting is and where it comes from, or the one under `key`; undefined where there is none. */
export function explainSettings(loaded: ReturnType<typeof loadDeclared>, key: string | undefined): string | undefined {
  return explainText(settingViews(SECTIONS, loaded), key);
}
