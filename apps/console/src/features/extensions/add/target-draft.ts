/** A server as a person enters it. */
export interface TargetDraft {
  readonly kind: "program" | "service";
  readonly name: string;
  readonly command: string;
  /** A line each. */
  readonly args: string;
  readonly url: string;
  /** Variables or headers, a line each. */
  readonly secrets: string;
}

export const EMPTY_DRAFT: TargetDraft = { kind: "program", name: "", command: "", args: "", url: "", secrets: "" };

/** What is sent of it. */
export function bodyOf({ kind, name, command, args, url, secrets }: TargetDraft) {
  const own = { name: name.trim() };
  if (kind === "service") {
    const headers = pairsOf(secrets, ":");
    return { ...own, url: url.trim(), ...(Object.keys(headers).length > 0 && { headers }) };
  }
  const lines = linesOf(args);
  const env = pairsOf(secrets, "=");
  return {
    ...{ ...own, command: command.trim() },
    ...(lines.length > 0 && { args: lines }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** What of a draft is sent to change a saved server: what differs from `before`; undefined: all of it. */
export function changesOf(before: TargetDraft | undefined, draft: TargetDraft) {
  const { kind, command, args, url, secrets } = draft;
  const differs = (key: "command" | "args" | "url" | "secrets"): boolean => before?.[key] !== draft[key];
  if (kind === "service")
    return {
      ...(differs("url") && { url: url.trim() }),
      ...(differs("secrets") && { headers: pairsOf(secrets, ":") }),
    };
  return {
    ...(differs("command") && { command: command.trim() }),
    ...(differs("args") && { args: linesOf(args) }),
    ...(differs("secrets") && { env: pairsOf(secrets, "=") }),
  };
}

/** A saved server as a person edits it; placeholders stand where values are secrets. */
export function draftOf(name: string, settings: { readonly [key: string]: unknown }): TargetDraft {
  const { command, args, url, env, headers } = settings;
  const kind = typeof url === "string" ? "service" : "program";
  return {
    ...{ kind, name, command: typeof command === "string" ? command : "", url: typeof url === "string" ? url : "" },
    args: Array.isArray(args) ? args.map(String).join("\n") : "",
    secrets: Object.entries((kind === "service" ? headers : env) ?? {})
      .map(([key, value]) => (kind === "service" ? `${key}: ${value}` : `${key}=${value}`))
      .join("\n"),
  };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function pairsOf(text: string, sign: "=" | ":"): { [name: string]: string } {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(sign);
      return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
