import { describeProvenance } from "@agent-service/config";
import { isSet, type SettingView } from "./setting-views.ts";

/**
 * Values with where they come from, as lines for a terminal: `model.name = "x"  agent-config.yaml:3`. Secrets only say
 * whether they are set. `key` is a dotted key or the start of one; undefined answers `undefined`: there is no such key.
 */
export function explainText(views: readonly SettingView[], key: string | undefined): string | undefined {
  const chosen = key === undefined ? views : views.filter((one) => one.key === key || one.key.startsWith(`${key}.`));
  if (chosen.length === 0) return undefined;
  const rows = chosen.map((view) => [`${view.key} = ${shown(view)}`, describeProvenance(view.from)] as const);
  const width = Math.min(60, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}\n`).join("");
}

const MAX_SHOWN = 200;

function shown(view: SettingView): string {
  if (view.secret) return isSet(view) ? "(secret, set)" : "(secret, not set)";
  if (view.value === undefined) return "(unset)";
  const text = JSON.stringify(view.value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
