import { createRedactor, isSecretName } from "../../redaction/index.ts";
import type { ServerTarget } from "../server-target.ts";
import { templateParts } from "./template.ts";

/** `--api-key=…`, or `--api-key` whose value is the next argument. */
const OPTION = /^-{1,2}([A-Za-z][A-Za-z0-9_-]*)(=.+)?$/s;

function holdsSecret(args: readonly string[]): boolean {
  const byShape = createRedactor();
  return args.some((arg, index) => {
    const parts = templateParts(arg);
    if (parts.some((part) => part.kind === "placeholder" && isSecretName(part.name))) return true;
    const [, name = "", value] = OPTION.exec(arg) ?? [];
    const next = args[index + 1];
    if (isSecretName(name) && (value !== undefined || (next !== undefined && !next.startsWith("-")))) return true;
    return byShape.text(arg) !== arg;
  });
}

/** What a person should know of how a server is reached, one sentence each. `secrets`: names that the overlay has. */
export function targetWarnings(target: ServerTarget, secrets: readonly string[] = []): readonly string[] {
  if (target.transport === "stdio") {
    const fromOverlay = target.args
      .flatMap(templateParts)
      .some((part) => part.kind === "placeholder" && secrets.includes(part.name));
    return fromOverlay || holdsSecret(target.args)
      ? ["`args` holds a secret, which other users of the machine can see; give it in `env`"]
      : [];
  }
  const inUrl = templateParts(target.url).some((part) => part.kind === "placeholder" && isSecretName(part.name));
  return inUrl ? ["`url` holds a secret, which logs of the server may keep; give it in `headers`"] : [];
}
