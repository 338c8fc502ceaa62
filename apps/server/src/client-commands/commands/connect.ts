import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import type { Keyboard } from "../command-io.ts";
import { EXIT } from "../exit-code.ts";
import { choiceFlag, textFlag } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";
import { secretText } from "./config.ts";

const TYPES = ["compat-gateway", "oauth-subscription-a", "oauth-subscription-b"] as const;
const SHOWN_MODELS = 40;

/** A connection and its model. */
interface Wanted {
  readonly id: string;
  readonly type: (typeof TYPES)[number];
  readonly base_url: string;
  readonly api_key: string;
  readonly model: string;
}

export const connectCommand: ClientCommand = {
  name: "connect",
  order: 30,
  summary: "Connects a language model: tries it, saves it, and lets it lead",
  usage: `agent-service connect                  asks, where a person sits at a terminal
agent-service connect --base-url <address> --model <name>

  --id <name>         of the connection; default: from the address
  --type <type>       ${TYPES.join(", ")}; default ${TYPES[0]}
  --base-url <url>    such as http://127.0.0.1:11434/v1
  --model <name>      as its server calls it
  --key-env <name>    the key is in this environment variable
  --key-stdin         the key comes from standard input
  --no-lead           save the connection alone; the lead model stays
  --no-test           save it although it was not tried

Nothing is saved when the model does not answer or cannot call tools.
`,
  options: {
    id: { type: "string" },
    type: { type: "string" },
    "base-url": { type: "string" },
    model: { type: "string" },
    "key-env": { type: "string" },
    "key-stdin": { type: "boolean" },
    "no-lead": { type: "boolean" },
    "no-test": { type: "boolean" },
  },
  async run(context) {
    if (context.positionals.length > 0) throw usage(`connect takes no ${JSON.stringify(context.positionals[0])}`);
    const wanted = await wantedOf(context);
    const { flags, note } = context;
    if (flags["no-test"] !== true && !(await tried(context, wanted))) return EXIT.failed;
    const lead = flags["no-lead"] !== true;
    await save(context, wanted, lead);
    const name = `${wanted.id}:${wanted.model}`;
    if (context.json) context.writeJson({ id: wanted.id, model: name, lead });
    else note(lead ? `${name} leads now. Try it: agent-service chat "Hello"\n` : `${wanted.id} is connected.\n`);
    return EXIT.ok;
  },
};

async function wantedOf(context: CommandContext): Promise<Wanted> {
  const { flags, io } = context;
  const baseUrl = textFlag(flags, "base-url");
  const type = choiceFlag(flags, "type", TYPES) ?? TYPES[0];
  const model = textFlag(flags, "model");
  const complete = model !== undefined && (baseUrl !== undefined || type !== TYPES[0]);
  if (complete) {
    const base_url = baseUrl ?? "";
    return { id: idOf(context, base_url, type), type, base_url, api_key: await keyOf(context), model };
  }
  const keyboard = context.json ? undefined : io.keyboard?.();
  if (keyboard === undefined) throw usage("connect needs --base-url and --model, or a terminal");
  try {
    return await ask(context, keyboard, { type, baseUrl, model });
  } finally {
    keyboard.close();
  }
}

async function keyOf(context: CommandContext): Promise<string> {
  const { flags, io } = context;
  const name = textFlag(flags, "key-env");
  if (name !== undefined) {
    const key = io.env[name]?.trim() ?? "";
    if (key === "") throw usage(`--key-env: ${name} is not set`);
    return key;
  }
  return flags["key-stdin"] === true ? secretText(context, "the key") : "";
}

function idOf({ flags }: CommandContext, baseUrl: string, type: string): string {
  const given = textFlag(flags, "id");
  if (given !== undefined) return given;
  if (baseUrl === "") return type;
  if (!URL.canParse(baseUrl)) throw usage(`--base-url takes an address, not ${JSON.stringify(baseUrl)}`);
  const { hostname } = new URL(baseUrl);
  const named = /^[\d.]+$|^\[|^localhost$/.test(hostname) ? "local" : (hostname.split(".").at(-2) ?? hostname);
  return named.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "-");
}

async function ask(
  context: CommandContext,
  keyboard: Keyboard,
  known: { readonly type: Wanted["type"]; readonly baseUrl: string | undefined; readonly model: string | undefined },
): Promise<Wanted> {
  const { api, write } = context;
  const found = known.baseUrl === undefined ? (await api.get("/api/config/models/local")).servers : [];
  for (const { server, base_url: address, models } of found) {
    write(`Found here: ${clean(server)} at ${clean(address)}, ${models.length} models\n`);
  }
  const usual = found[0]?.base_url ?? "";
  const base_url = known.baseUrl ?? (await needed(keyboard, "Address of the provider", usual));
  const id = idOf(context, base_url, known.type);
  const flagged = await keyOf(context);
  const api_key =
    flagged !== ""
      ? flagged
      : ((await keyboard.ask("Key (not shown; empty for none): ", { hidden: true })) ?? "").trim();
  const listed = await api.post("/api/config/models", { body: { provider: known.type, api_base: base_url, api_key } });
  if (listed.error !== "") write(`It lists no models: ${clean(listed.error)}\n`);
  for (const name of listed.models.slice(0, SHOWN_MODELS)) write(`  ${clean(name)}\n`);
  if (listed.models.length > SHOWN_MODELS) write(`  … and ${listed.models.length - SHOWN_MODELS} more\n`);
  const model = known.model ?? (await needed(keyboard, "Model", listed.models[0] ?? ""));
  return { id, type: known.type, base_url, api_key, model };
}

async function needed(keyboard: Keyboard, question: string, usual: string): Promise<string> {
  for (;;) {
    const line = await keyboard.ask(`${question}${usual === "" ? "" : ` [${usual}]`}: `);
    if (line === undefined) throw usage(`${question}: nothing was entered`);
    const answer = line.trim() || usual;
    if (answer !== "") return answer;
  }
}

async function tried(context: CommandContext, { type, base_url, api_key, model }: Wanted): Promise<boolean> {
  const { api, io, json, writeJson } = context;
  const { stderr } = io;
  if (stderr.terminal && !json) stderr.write("Trying one answer and one tool call …\r");
  const trial = await api.post("/api/config/test-model", {
    body: { provider: type, api_base: base_url, api_key, model },
  });
  if (stderr.terminal && !json) stderr.write("\u001b[2K");
  if (!trial.ok && json) writeJson(trial);
  if (!trial.ok) context.note(`${clean(trial.error)}\nNothing was saved.\n`);
  else context.note(`It answers in ${trial.answer?.ms ?? 0} ms and calls tools.\n`);
  return trial.ok;
}

/** Saves the connection under its name, and the lead model, if it is to lead. */
async function save({ api }: CommandContext, wanted: Wanted, lead: boolean): Promise<void> {
  const { id, model, type, base_url, api_key } = wanted;
  const fields = { type, ...(base_url !== "" && { base_url }), ...(api_key !== "" && { api_key }) };
  const { providers } = await api.get("/api/providers", { query: { limit: 200 } });
  if (providers.some((one) => one.id === id)) {
    await api.put("/api/providers/{id}", { params: { id }, body: fields });
  } else await api.post("/api/providers", { body: { id, ...fields } });
  if (!lead) return;
  await api.post("/api/settings", { body: { updates: { "model.name": `${id}:${model}` } } });
  const { setup_complete: done } = await api.get("/api/config/setup-status");
  // Completing setup calls the lead once more, with the saved settings.
  if (!done) await api.post("/api/config/setup", { body: {} });
}
