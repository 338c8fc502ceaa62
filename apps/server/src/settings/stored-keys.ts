/** A stored key goes only to its own connection's stored address (R13): a change of the address needs the key again. */
import type { SettingEdit } from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
import { valueAt } from "./setting-views.ts";
import type { ServerSettings } from "./settings.ts";

type Registry = Pick<ServerSettings, "models">;
type Connection = ServerSettings["models"]["connections"][number];

/** Refuses a change that would send a stored secret elsewhere than before. @throws Problem 400 */
export function refuseKeyElsewhere(now: Registry, candidate: Registry, edits: readonly SettingEdit[]): void {
  if (!edits.some(({ section }) => section === "providers" || section === "model")) return;
  const { connections, retiring } = candidate.models;
  for (const connection of connections) {
    const { id, apiKey, credential } = connection;
    if (apiKey === "" && credential === undefined) continue;
    const before = now.models.connections.find((one) => one.id === id);
    if (before !== undefined && goesTo(before) === goesTo(connection)) continue;
    if (edits.some((edit) => isSecretOf(edit, id, retiring))) continue;
    const key = retiring ? "model.api_key" : `providers.${id}.api_key`;
    throw new Problem(
      400,
      `${key}: the stored key goes only to the address it was stored for. Send the key again with the new address, or null for none.`,
    );
  }
}

/** The fields that decide where a connection's secret is sent. */
function goesTo({ type, baseUrl }: Connection): string {
  return `${type} ${baseUrl.replace(/\/+$/, "")}`;
}

/** Whether an edit sends the secret of this connection. A blank one keeps what is stored. */
function isSecretOf({ section, entry, key, value }: SettingEdit, id: string, retiring: boolean): boolean {
  if (retiring)
    return section === "model" && isSent(key === undefined ? valueAt(value, "api_key") : key === "api_key" && value);
  if (section !== "providers") return false;
  if (entry === id) return isSent(key === undefined ? valueAt(value, "api_key") : key === "api_key" && value);
  const list: readonly unknown[] = entry === undefined && Array.isArray(value) ? value : [];
  return list.some((one) => valueAt(one, "id") === id && isSent(valueAt(one, "api_key")));
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}
