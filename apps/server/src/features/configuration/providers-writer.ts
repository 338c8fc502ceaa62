import type { SettingEdit } from "@agent-service/config";
import { Problem, type Provider, type ProvidersReader, type ProvidersWriter } from "@agent-service/operator-api";
import type { ServerSettings, SettingsSaver } from "../../settings/index.ts";

const FIELDS = ["type", "label", "base_url", "models", "api_key"] as const;

/** Its id while there is no `providers` block (B51 `providers`, rule 3). */
const RETIRING_GATEWAY = "gateway";

/** The fields of a connection that may be set. */
type ProviderChange = { readonly [F in (typeof FIELDS)[number] | "credential"]?: unknown };

const isSubscription = (type: unknown): boolean => typeof type === "string" && type.startsWith("oauth-subscription-");

/**
 * The change with its secret as the overlay holds it: a text for gateways, a mapping for subscriptions (R9).
 * @throws Problem 400 for a secret of the other kind
 */
function withSecret(id: string, type: unknown, change: ProviderChange): ProviderChange {
  const { credential, api_key: key, ...rest } = change;
  if (key === null && credential === undefined) return change;
  if (credential === undefined && (key === undefined || !isSubscription(type))) return change;
  if (!isSubscription(type))
    throw new Problem(400, `Only a subscription has a credential: providers.${id}.credential.`);
  if (credential !== undefined && key !== undefined)
    throw new Problem(400, `Send providers.${id}.credential or api_key, not both.`);
  const entries = Object.entries(credential ?? { access_token: key }).filter(([, value]) => value !== "");
  return entries.length === 0 ? rest : { ...rest, api_key: Object.fromEntries(entries) };
}

/** Changes connections (O6; B51 `providers`). */
export function providersWriter(
  settings: Pick<ServerSettings, "loaded" | "models">,
  reader: ProvidersReader,
  saver: SettingsSaver,
): ProvidersWriter {
  const declared = (id: string): boolean => (settings.loaded.values.providers ?? []).some((one) => one.id === id);
  const find = async (id: string): Promise<Provider> => {
    const provider = (await reader.list()).providers.find((one) => one.id === id);
    if (provider === undefined) throw new Problem(404, `There is no connection ${id}.`);
    return provider as Provider;
  };
  const retires = (id: string): boolean => settings.models.retiring && id === RETIRING_GATEWAY;
  const refuseUndeclared = (id: string): Problem =>
    new Problem(
      400,
      retires(id)
        ? `${id} is made of model.api_base and model.api_key, which hold its base_url and api_key and nothing else: add a connection for more.`
        : `${id} is not of the providers block: it is made of model.provider.`,
    );

  return {
    async add({ id, revision, ...change }, again, { refuseDecision }) {
      if (declared(id) && !(again && holds(await find(id), change)))
        throw new Problem(409, `There is a connection ${id} already.`);
      const replaced = settings.loaded.values.providers === undefined && !settings.models.scriptedByDefault;
      const edits = [
        { section: "providers", entry: id, key: "type", value: change.type ?? "compat-gateway" },
        ...editsOf(id, { ...withSecret(id, change.type, change), type: undefined }),
      ];
      const saved = await saver.save(edits, { revision, refuseDecision });
      const messages = replaced
        ? [
            ...saved.messages,
            "model.api_base, model.api_key and model.provider count no longer: there is a providers block now.",
          ]
        : saved.messages;
      return { ...saved, messages, provider: await find(id) };
    },
    async edit(id, { revision, ...change }, { refuseDecision }) {
      const { type } = await find(id);
      const written = withSecret(id, change.type ?? type, change);
      const edits = declared(id) ? editsOf(id, written) : retires(id) ? retiringEdits(written) : undefined;
      if (edits === undefined) throw refuseUndeclared(id);
      const saved = await saver.save(edits, { revision, refuseDecision });
      return { ...saved, provider: await find(id) };
    },
    async remove(id, { refuseDecision }) {
      await find(id);
      if (!declared(id)) throw refuseUndeclared(id);
      return saver.save([{ section: "providers", entry: id, value: undefined }], { refuseDecision });
    },
  };
}

/** The keys that define the gateway while there is no `providers` block; undefined for a field they do not hold. */
function retiringEdits(change: ProviderChange): SettingEdit[] | undefined {
  const { type, label, models, base_url, api_key } = change;
  if (label !== undefined || models !== undefined || (type !== undefined && type !== "compat-gateway"))
    return undefined;
  return [
    ...(base_url === undefined ? [] : [{ section: "model", key: "api_base", value: base_url }]),
    ...(api_key === undefined ? [] : [{ section: "model", key: "api_key", value: api_key ?? undefined }]),
  ];
}

/** Whether a connection equals a change, without its key, which cannot be compared. */
function holds(provider: Provider, { type, label, base_url }: ProviderChange): boolean {
  const asked = { type, label, base_url };
  return Object.entries(asked).every(([key, value]) => value === undefined || provider[key as "type"] === value);
}

function editsOf(id: string, change: ProviderChange): SettingEdit[] {
  return FIELDS.flatMap((key) =>
    change[key] === undefined ? [] : [{ section: "providers", entry: id, key, value: change[key] ?? undefined }],
  );
}
