import type { Section } from "@agent-service/config";

/** The members of a feature that concern its settings. */
interface SettingsReader {
  readonly name: string;
  readonly sections?: readonly { readonly name: string }[];
}

/**
 * Rejects a feature whose settings are never loaded: it would fail only at its first use.
 * @throws Error that names the feature and its section: a fault of the composition
 */
export function requireSections(features: readonly SettingsReader[], loaded: readonly Section[]): void {
  const known = new Set(loaded.map(({ name }) => name));
  for (const { name, sections = [] } of features)
    for (const section of sections)
      if (!known.has(section.name))
        throw new Error(`the feature ${name} reads the section ${section.name}, which the service does not load`);
}
