import { type GenericSchema, safeParse } from "valibot";
import { isSecret, isSecurity, keysOf, type Section } from "../section/index.ts";

/** Sections that decide what the agent may do or whom it trusts (B89 `set_config`). */
const TRUST_SURFACE = [
  ...["filesystem", "operator", "egress", "plugins", "delegates", "runtime", "acp", "auth", "security", "mcp"],
  ...["soul", "tools", "settings"],
];

/** Values that only a key for a path, an address or a program, or for free text, accepts. */
const UNSAFE_VALUES = ["https://collector.example/v1", "/tmp/elsewhere", "elsewhere.db", "sh -c true"].flatMap(
  (name) => [name, [name], { name }],
);

/**
 * Whether the model may change a full dotted key (B89 `set_config`). Everything is refused that its section does
 * not mark, and what is of the trust surface even if it were marked.
 */
export function agentMayChange(sections: readonly Section[], key: string): boolean {
  const [name = "", ...rest] = key.split(".");
  const inner = rest.join(".");
  const section = sections.find((one) => one.name === name);
  if (section === undefined || !Object.hasOwn(section.fields, inner)) return false;
  return section.fields[inner]?.agent_may_change === true && !isTrustSurface(section, inner);
}

function isTrustSurface(section: Section, key: string): boolean {
  const field = section.fields[key];
  return (
    TRUST_SURFACE.includes(section.name) ||
    section.merge_by !== undefined ||
    isSecurity(section, key) ||
    isSecret(section, key) ||
    field?.spawns === true ||
    field?.type === "secret"
  );
}

/** What a section marks for the model and must not, as sentences for its author; empty: nothing is wrong. */
export function unsafeForAgent(section: Section): string[] {
  const schemas = new Map<string, GenericSchema>(keysOf(section.schema).map(({ key, schema }) => [key, schema]));
  return Object.entries(section.fields).flatMap(([key, field]) => {
    if (field.agent_may_change !== true) return [];
    const path = `${section.name}.${key}`;
    if (isTrustSurface(section, key)) return [`${path}: of the trust surface, and marked for the agent`];
    if (field.restart === true) return [`${path}: decides about the next start, and marked for the agent`];
    const schema = schemas.get(key);
    if (field.type === "path" || schema === undefined || UNSAFE_VALUES.some((one) => safeParse(schema, one).success))
      return [`${path}: can name a place, and marked for the agent`];
    return [];
  });
}
