import type { ServerTarget } from "../server-target.ts";
import { type TemplatePart, templateParts, templateText } from "./template.ts";

/** A target as it is stored, and what belongs into the overlay: `mcp.secrets.<server>`. */
export interface StoredTarget<Target extends ServerTarget = ServerTarget> {
  readonly target: Target;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The word before a credential in a header. */
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s+$/i;
const CREDENTIAL = /^((?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s+)(.+)$/is;

/**
 * Moves every literal value of `env` and `headers` into the overlay and leaves a placeholder of its name, as saves and
 * imports do (M3). A placeholder that is there already stays, and a scheme such as `Bearer` stays before the credential.
 * A name that another placeholder of the target uses is numbered.
 */
export function takeSecretsOut<Target extends ServerTarget>(target: Target): StoredTarget<Target>;
export function takeSecretsOut(target: ServerTarget): StoredTarget {
  const secrets: Record<string, string> = {};
  const taken = new Set(
    [target.transport === "stdio" ? [...target.args, target.cwd ?? ""] : [target.url], valuesOf(target)]
      .flat()
      .flatMap(templateParts)
      .flatMap((part) => (part.kind === "placeholder" ? [part.name] : [])),
  );
  const nameFor = (name: string): string => {
    const base = toPlaceholderName(name);
    for (let count = 1; ; count++) {
      const free = count === 1 ? base : `${base}_${count}`;
      if (taken.has(free)) continue;
      taken.add(free);
      return free;
    }
  };
  const stored = (name: string, text: string): string => {
    const parts = templateParts(text).flatMap((part): readonly TemplatePart[] => {
      if (part.kind === "placeholder" || part.text.trim() === "" || SCHEME.test(part.text)) return [part];
      const [, scheme = "", credential = part.text] = CREDENTIAL.exec(part.text) ?? [];
      const placeholder = nameFor(name);
      secrets[placeholder] = credential;
      return [
        { kind: "text", text: scheme },
        { kind: "placeholder", name: placeholder, fallback: undefined },
      ];
    });
    return templateText(parts);
  };
  const all = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, stored(name, text)]));
  if (target.transport === "stdio") return { target: { ...target, env: all(target.env) }, secrets };
  return { target: { ...target, headers: all(target.headers) }, secrets };
}

function valuesOf(target: ServerTarget): readonly string[] {
  return Object.values(target.transport === "stdio" ? target.env : target.headers);
}

/** The name of a variable as it is; of a header in capitals, its minuses underscores. */
function toPlaceholderName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,119}$/.test(name) && name !== name.toLowerCase() && !/[a-z]/.test(name)) return name;
  const plain = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  return (/^[0-9]/.test(plain) ? `_${plain}` : plain).slice(0, 120) || "VALUE";
}
