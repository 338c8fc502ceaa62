/** One thing a step of a script does. */
export type ScriptCommand =
  | { readonly kind: "call"; readonly tool: string; readonly args: string }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "fail"; readonly status: number }
  | { readonly kind: "stream"; readonly count: number };

/** What one model call does. */
export type ScriptStep = readonly ScriptCommand[];

/** Names of the scripted model's commands (R10). */
export const SCRIPT_COMMANDS: readonly string[] = ["call", "say", "think", "wait", "fail", "stream", "then"];

const COMMAND = new RegExp(`^/(${SCRIPT_COMMANDS.join("|")})(?:[ \\t]+|$)`);
const MAX_WAIT_MS = 600_000;
const MAX_STREAM = 100_000;
/** Characters at the start of a text in which commands are looked for. */
const MAX_SCRIPT = 128 * 1024;

/**
 * Reads the commands of the scripted model (R10) out of a user's text. Undefined when it holds none.
 *
 * - `/call <tool> <json>`: a tool call; several are made at once.
 * - `/say <text>`: answer text, in pieces of a word each.
 * - `/think <text>`: reasoning text.
 * - `/wait <ms>`: a pause, ten minutes at most.
 * - `/fail <status>`: the call fails as if the provider had answered with this HTTP status.
 * - `/stream <n>`: n pieces of text, `w0 ` to `w<n-1> `.
 * - `/then`: what follows belongs to the next model call of the turn.
 *
 * A command begins at the start of a line and reaches to the next one, so JSON and text may span lines. Text before the
 * first command is answer text. Text beyond the first 131,072 characters belongs to the last command there.
 */
export function readScript(text: string): readonly ScriptStep[] | undefined {
  const steps: ScriptCommand[][] = [[]];
  let found = false;
  let name = "say";
  let body: string[] = [];

  function close(): void {
    const step = steps.at(-1);
    const command = readCommand(name, body.join("\n").trim());
    if (command !== undefined) step?.push(command);
  }

  for (const line of text.slice(0, MAX_SCRIPT).split(/\r?\n/)) {
    const match = COMMAND.exec(line.trimStart());
    if (match?.[1] === undefined) {
      body.push(line);
      continue;
    }
    found = true;
    close();
    name = match[1];
    body = [line.trimStart().slice(match[0].length)];
    if (name === "then") {
      steps.push([]);
      name = "say";
    }
  }
  if (!found) return undefined;
  if (text.length > MAX_SCRIPT) body.push(`${body.pop() ?? ""}${text.slice(MAX_SCRIPT)}`);
  close();
  return steps;
}

function readCommand(name: string, body: string): ScriptCommand | undefined {
  switch (name) {
    case "call": {
      const [, tool, args] = /^(\S+)\s*([\s\S]*)$/.exec(body) ?? [];
      return tool === undefined ? undefined : { kind: "call", tool, args: args || "{}" };
    }
    case "think":
      return { kind: "think", text: body };
    case "wait":
      return { kind: "wait", ms: readNumber(body, MAX_WAIT_MS) };
    case "fail":
      return { kind: "fail", status: readNumber(body, 599) || 500 };
    case "stream":
      return { kind: "stream", count: readNumber(body, MAX_STREAM) };
    default:
      return body === "" ? undefined : { kind: "say", text: body };
  }
}

function readNumber(text: string, max: number): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, value), max);
}
