import { allPages } from "../all-pages.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, jsonOrText } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";

const LAYERS = ["agent", "host"] as const;

/** `agent-service config get | set | reset`; `config explain` reads the files and needs no service. */
export const configCommand: ClientCommand = {
  name: "config",
  order: 120,
  summary: "The running service's settings",
  usage: `agent-service config get [key]             values, and where they come from
agent-service config set <key>=<value> …   all of them or none; a value is JSON, else text
agent-service config set <key>=-           the value comes from standard input, so that no list of processes shows it
agent-service config reset <key> …         the value of the layer below applies again
agent-service config explain [key]         the same from the files, without a service

  --layer <layer>   agent (default) or host, where a change is saved
`,
  options: { layer: { type: "string" } },
  run(context) {
    const [verb = "get"] = context.positionals;
    if (verb === "get") return getSettings(context);
    if (verb === "set") return setSettings(context);
    if (verb === "reset") return resetSettings(context);
    throw usage(`config takes get, set, reset or explain, not ${JSON.stringify(verb)}`);
  },
};

async function getSettings({ api, json, positionals, write, writeJson }: CommandContext): Promise<ExitCode> {
  const [, key] = positionals;
  if (positionals.length > 2) throw usage("config get takes one key");
  const { rows } = await allPages(
    (cursor) => api.get("/api/config/explain", { query: { key, limit: 1000, cursor } }),
    ({ values }) => values,
    100_000,
  );
  if (json) {
    writeJson({ values: rows });
    return EXIT.ok;
  }
  const lines = rows.map((row) => {
    const value = row.secret ? `(secret, ${row.is_set ? "set" : "not set"})` : (JSON.stringify(row.value) ?? "(unset)");
    const shown = value.length <= 200 ? value : `${value.slice(0, 200)}…`;
    return [`${row.key} = ${shown}`, row.layer === "default" ? "default" : row.source] as const;
  });
  const width = Math.min(60, Math.max(0, ...lines.map(([left]) => left.length)));
  write(lines.map(([left, right]) => `${clean(left.padEnd(width))}  ${clean(right)}\n`).join(""));
  return EXIT.ok;
}

async function setSettings(context: CommandContext): Promise<ExitCode> {
  const { api, flags, positionals } = context;
  const pairs = positionals.slice(1);
  if (pairs.length === 0) throw usage("config set takes <key>=<value>");
  const updates: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, key, text] = /^([\w-]+(?:\.[\w-]+)+)=([\s\S]*)$/.exec(pair) ?? [];
    if (key === undefined || text === undefined)
      throw usage(`config set takes <key>=<value>, not ${JSON.stringify(pair)}`);
    updates[key] = text === "-" ? await secretText(context, key) : jsonOrText(text);
  }
  const layer = choiceFlag(flags, "layer", LAYERS);
  return saved(context, await api.post("/api/settings", { body: { updates, ...(layer && { layer }) } }));
}

async function resetSettings(context: CommandContext): Promise<ExitCode> {
  const { api, flags, positionals } = context;
  const keys = positionals.slice(1);
  if (keys.length === 0) throw usage("config reset needs keys");
  const layer = choiceFlag(flags, "layer", LAYERS);
  return saved(context, await api.post("/api/settings/reset", { body: { keys, ...(layer && { layer }) } }));
}

function saved(
  { json, write, writeJson, paint }: CommandContext,
  answer: { readonly messages: readonly string[]; readonly restart_required: readonly string[] },
): ExitCode {
  if (json) writeJson(answer);
  else {
    for (const message of answer.messages) write(`${clean(message)}\n`);
    if (answer.restart_required.length > 0) {
      write(`${paint("yellow", "!")} counts from the next start on: ${answer.restart_required.join(", ")}\n`);
    }
  }
  return EXIT.ok;
}

/** A value that the process list must not show: from standard input, or typed without echo. */
export async function secretText({ io }: Pick<CommandContext, "io">, name: string): Promise<string> {
  if (io.piped !== undefined) return enteredValue(name, await io.piped());
  const keyboard = io.keyboard?.();
  if (keyboard === undefined) throw usage(`${name} is read from standard input, which is a terminal without a person`);
  try {
    return enteredValue(name, await keyboard.ask(`${name} (not shown): `, { hidden: true }));
  } finally {
    keyboard.close();
  }
}

/** A blank one would be saved as if it were meant: from a person who left, or from a pipe that was read already. */
function enteredValue(name: string, text: string | undefined): string {
  const value = text?.trim() ?? "";
  if (value === "") throw usage(`${name}: no value was entered`);
  return value;
}
