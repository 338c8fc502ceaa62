import { parseYaml } from "./parse-yaml.ts";
import { toValue } from "./yaml-node.ts";

/**
 * Reads a YAML mapping as plain data, as strictly as a configuration file: see `parseYaml`. `reason` never quotes the text.
 */
export function readMapping(
  text: string,
):
  | { readonly ok: true; readonly values: { readonly [key: string]: unknown } }
  | { readonly ok: false; readonly line: number; readonly reason: string } {
  const parsed = parseYaml(text);
  if (!parsed.ok) return parsed;
  return { ok: true, values: toValue(parsed.root) as { readonly [key: string]: unknown } };
}
