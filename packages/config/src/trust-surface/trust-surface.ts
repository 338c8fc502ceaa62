import { isSecret, isSecurity, type Section } from "../section/index.ts";

/** Sections that decide what the agent may do or whom it trusts (document 3 `set_config`). */
const TRUSTED = [
  ...["filesystem", "operator", "egress", "plugins", "delegates", "runtime", "acp", "auth", "security", "mcp"],
  ...["soul", "tools"],
];

/** An address that a stored secret is sent to. */
const ADDRESS = /(^|\.)(base_url|api_base|host)$/;

/**
 * Whether the model must not write a full dotted key (document 3 `set_config`): the sections it names, keys that name a
 * program to run, and secrets. Beyond its list: everything whose wrong value refuses the start, the list of hidden
 * settings, connections, and every address that a stored secret is sent to, because a model that moves the address has
 * the secret.
 */
export function isTrustSurface(sections: readonly Section[], key: string): boolean {
  const [name = "", ...rest] = key.split(".");
  if (TRUSTED.includes(name) || name === "settings") return true;
  const section = sections.find((one) => one.name === name);
  if (section === undefined) return false;
  const inner = rest.join(".");
  const field = section.fields[inner];
  return (
    isSecurity(section, inner) ||
    section.merge_by !== undefined ||
    field?.spawns === true ||
    field?.type === "secret" ||
    isSecret(section, inner) ||
    ((section.secrets ?? []).length > 0 && ADDRESS.test(inner))
  );
}
