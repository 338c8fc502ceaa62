import type { Environment } from "../../process/index.ts";
import type { ServerTarget } from "../server-target.ts";
import { fillTemplate, templateParts } from "./template.ts";

/** Where placeholders of one server get their values. */
export interface PlaceholderSource {
  /** What the overlay has for the server: `mcp.secrets.<server>`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The server's `inherit_env`. */
  readonly inheritEnv: readonly string[];
  /** The service's own variables. */
  readonly environment: Environment;
  /** Variables that are not read although `inherit_env` names them: see `isForbiddenVariable`. */
  isForbidden(name: string): boolean;
}

/** A server's target without placeholders, or the names that have no value. */
export type ResolvedTarget<Target extends ServerTarget = ServerTarget> =
  | { readonly ok: true; readonly target: Target }
  | {
      readonly ok: false;
      readonly missing: readonly string[];
      /** One sentence that names them and says what to do. */
      readonly problem: string;
    };

function own(values: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The value of a placeholder: the overlay's, else the environment's where that is allowed. Blank counts as none. */
export function placeholderValue(name: string, source: PlaceholderSource): string | undefined {
  const stored = own(source.secrets, name);
  if (stored !== undefined && stored.trim() !== "") return stored;
  const mayRead = source.inheritEnv.includes(name) && !source.isForbidden(name);
  const inherited = mayRead ? own(source.environment, name) : undefined;
  return inherited === undefined || inherited.trim() === "" ? undefined : inherited;
}

/** The texts of a target that may hold placeholders, by the key they are under. */
export function textsOf(target: ServerTarget): readonly { readonly key: string; readonly text: string }[] {
  const under = (key: string, texts: readonly string[]) => texts.map((text) => ({ key, text }));
  if (target.transport !== "stdio")
    return [...under("url", [target.url]), ...under("headers", Object.values(target.headers))];
  const { args, env, cwd } = target;
  return [...under("args", args), ...under("env", Object.values(env)), ...under("cwd", cwd === undefined ? [] : [cwd])];
}

/** Each text of a target that may hold placeholders replaced. */
export function mapTarget<Target extends ServerTarget>(target: Target, map: (text: string) => string): Target;
export function mapTarget(target: ServerTarget, map: (text: string) => string): ServerTarget {
  const all = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, map(text)]));
  if (target.transport !== "stdio") return { ...target, url: map(target.url), headers: all(target.headers) };
  const { args, env, cwd } = target;
  return { ...target, args: args.map(map), env: all(env), ...(cwd !== undefined && { cwd: map(cwd) }) };
}

/** Replaces the placeholders of a target, as it is done at every connect. */
export function resolveTarget<Target extends ServerTarget>(
  target: Target,
  source: PlaceholderSource,
): ResolvedTarget<Target> {
  const missing = new Set<string>();
  const resolved = mapTarget(target, (text) => {
    const filled = fillTemplate(text, (name) => placeholderValue(name, source));
    for (const name of filled.missing) missing.add(name);
    return filled.text;
  });
  if (missing.size === 0) return { ok: true, target: resolved };
  const names = [...missing].slice(0, 10).map((name) => `\${${name}}`);
  const more = missing.size > names.length ? ` and ${missing.size - names.length} more` : "";
  const verb = missing.size === 1 ? "has no value; store it" : "have no values; store them";
  const problem = `${names.join(", ")}${more} ${verb} as a secret of the server, or name the variable in inherit_env`;
  return { ok: false, missing: [...missing], problem };
}

/** A placeholder of a target. */
export interface PlaceholderUse {
  readonly name: string;
  /** The keys it is used in, such as `env`. */
  readonly keys: readonly string[];
  /** It has a value of its own; a default does not count. */
  readonly isSet: boolean;
  /** Without a value the default is used in every place. */
  readonly hasDefault: boolean;
}

/** The placeholders of a target, each once, in order. */
export function placeholdersOf(target: ServerTarget, source: PlaceholderSource): readonly PlaceholderUse[] {
  const found = new Map<string, { keys: Set<string>; hasDefault: boolean }>();
  for (const { key, text } of textsOf(target)) {
    for (const part of templateParts(text)) {
      if (part.kind === "text") continue;
      const use = found.get(part.name) ?? { keys: new Set(), hasDefault: true };
      use.keys.add(key);
      use.hasDefault &&= part.fallback !== undefined;
      found.set(part.name, use);
    }
  }
  return [...found].map(([name, { keys, hasDefault }]) => ({
    ...{ name, keys: [...keys], hasDefault },
    isSet: placeholderValue(name, source) !== undefined,
  }));
}
