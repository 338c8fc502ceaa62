import type { DefinitionKind, PinnedDefinition } from "../definition/index.ts";
import { toolNames } from "../names/index.ts";

/**
 * The names by which definitions of a kind are known (M2). Those of approved ones do not depend on any that wait for
 * approval: a server cannot rename an approved tool by showing another.
 */
export function definitionNames(
  servers: readonly { readonly settings: { readonly name: string }; readonly pins: readonly PinnedDefinition[] }[],
  kind: DefinitionKind,
): ReadonlyMap<PinnedDefinition, string> {
  const all = servers.flatMap(({ settings, pins }) =>
    pins.filter((pin) => pin.kind === kind).map((pin) => ({ server: settings.name, tool: pin.name, pin })),
  );
  const approved = all.filter(({ pin }) => pin.approved !== undefined);
  const names = new Map<PinnedDefinition, string>();
  for (const list of [all, approved])
    for (const [index, name] of toolNames(list).entries()) {
      const pin = list[index]?.pin;
      if (pin !== undefined) names.set(pin, name);
    }
  return names;
}
