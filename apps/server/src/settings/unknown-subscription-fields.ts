import { type ProvidersSectionValue, SUBSCRIPTION_FIELDS } from "@agent-service/agent-core/host";
import { describeProvenance, type Provenance } from "@agent-service/config";

/** A field of a subscription's mapping that nothing reads is most likely a typing error: its name is logged, its value may be a secret. */
export function unknownSubscriptionFields({
  values: { providers = [] },
  provenance,
}: {
  readonly values: { readonly providers: ProvidersSectionValue };
  readonly provenance: ReadonlyMap<string, Provenance>;
}): string[] {
  return providers.flatMap(({ id, api_key: held }) => {
    if (typeof held === "string") return [];
    const key = `providers.${id}.api_key`;
    const from = provenance.get(key);
    const where = from === undefined ? "" : `${describeProvenance(from)}: `;
    const unknown = Object.keys(held).filter((name) => !SUBSCRIPTION_FIELDS.includes(name));
    return unknown.slice(0, 10).map((name) => {
      const shown = name.replaceAll(/[^\w.-]/g, "?").slice(0, 60);
      return `${where}providers.${id}.${shown}: unknown field of a subscription, ignored`;
    });
  });
}
