/** `--inherit-env` and `--set`: the keys of a server's entry that no other flag of `mcp add` and `mcp set` gives. */
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { jsonOrText, textFlags } from "../flag-values.ts";

/** The keys that `--set` takes. `name`, the address or command and their secrets have arguments and flags of their own. */
export const SET_KEYS = [
  ...["cwd", "enabled", "tools", "call_timeout", "max_result_chars", "pinning", "effects", "approve"],
  ...["federation", "elicitation", "sampling", "roots", "oauth", "inherit_env"],
] as const;
type SetKey = (typeof SET_KEYS)[number];
type Entry = { readonly [key: string]: unknown };
/** Values of those keys, of whatever kind: what they may be is the service's to say, in one place. */
export type EntryKeys = { readonly [K in SetKey]?: never };

/** What the flags say of the entry; with `before`, what of it a part of a key leaves as it was. */
export function entryKeysOf({ flags }: Pick<CommandContext, "flags">, before: Entry = {}): EntryKeys {
  const entry: Record<string, unknown> = {};
  for (const text of textFlags(flags, "set")) {
    const [, key = "", part, value = ""] = /^([a-z_]+)(?:\.([^=]+))?=(.*)$/s.exec(text) ?? [];
    if (!isSetKey(key)) throw usage(`--set takes <key>=<value>; the keys are ${SET_KEYS.join(", ")}`);
    const read = jsonOrText(value);
    entry[key] = part === undefined ? read : { ...mappingOf(entry[key] ?? before[key]), [part]: read };
  }
  const names = textFlags(flags, "inherit-env");
  if (names.length > 0) {
    const known = entry.inherit_env ?? before.inherit_env;
    entry.inherit_env = [...new Set([...(Array.isArray(known) ? known : []), ...names])];
  }
  return entry as EntryKeys;
}

function isSetKey(key: string): key is SetKey {
  return SET_KEYS.some((one) => one === key);
}

function mappingOf(value: unknown): Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Entry) : {};
}
