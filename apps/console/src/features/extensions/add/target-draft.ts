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
