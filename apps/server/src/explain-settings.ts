/** What `config explain` prints; loaded when it is asked for. */
import { explainText, settingViews } from "./configuration/index.ts";
import { type loadDeclared, SECTIONS } from "./sections/index.ts";

/** Says what each setting is and where it comes from, or the one under `key`; undefined where there is none. */
export function explainSettings(loaded: ReturnType<typeof loadDeclared>, key: string | undefined): string | undefined {
  return explainText(settingViews(SECTIONS, loaded), key);
}
