import { describeProvenance } from "@agent-service/config";
import { type ExplainedValue, explainedValue, isSet, type SettingView } from "./setting-views.ts";

/** Values with their sources. Of a secret only whether it is set. */
export interface Explained {
  /** Lines for a terminal: `model.name = "x"  agent-config.yaml:3`. */
  readonly text: string;
  /** The same for programs, as `GET /api/config/explain` gives it. */
  readonly json: { readonly values: readonly ExplainedValue[] };
}

/** Explains the key, or those below it, or all; undefined: there is no such key. */
export function explained(views: readonly SettingView[], key: string | undefined): Explained | undefined {
  const chosen = key === undefined ? views : views.filter((one) => one.key === key || one.key.startsWith(`${key}.`));
  if (chosen.length === 0) return undefined;
  const rows = chosen.map((view) => [`${view.key} = ${shown(view)}`, describeProvenance(view.from)] as const);
  const width = Math.min(60, Math.max(...rows.map(([left]) => left.length)));
  const text = rows.map(([left, right]) => `${left.padEnd(width)}  ${right}\n`).join("");
  return { text, json: { values: chosen.map(explainedValue) } };
}

const MAX_SHOWN = 200;

function shown(view: SettingView): string {
  if (view.secret) return isSet(view) ? "(secret, set)" : "(secret, not set)";
  if (view.value === undefined) return "(unset)";
  const text = JSON.stringify(view.value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
