import { PROVIDER_PRESETS, type ProviderPreset, suggestedConnectionId } from "@agent-service/operator-api/client";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import type { Keyboard } from "../command-io.ts";
import { EXIT } from "../exit-code.ts";
import { choiceFlag, refuseArguments, textFlag } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";
import { secretText } from "./config.ts";

const TYPES = ["compat-gateway", "oauth-subscription-a", "oauth-subscription-b"] as const;
const SHOWN_MODELS = 40;
/** Those with an address. */
const PRESETS = PROVIDER_PRESETS.filter(({ baseUrl }) => baseUrl !== "");

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
agent-service connect --provider <name> --model <name>
agent-service connect --base-url <address> --model <name>

  --list              only lists the providers whose address is known
  --provider <name>   one of them, instead of an address
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
    list: { type: "boolean" },
    provider: { type: "string" },
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
    refuseArguments("connect", context.positionals);
    if (context.flags.list === true) return listed(context);
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

/** `--list`: the providers whose address is known. */
function listed({ json, writeJson, write }: CommandContext): typeof EXIT.ok {
  if (json) writeJson({ providers: PRESETS });
  else for (const line of presetLines()) write(line);
  return EXIT.ok;
}

function presetLines(): readonly string[] {
  return PRESETS.map(({ id, name, baseUrl }) => `  ${id.padEnd(12)} ${name.padEnd(12)} ${baseUrl}\n`);
}

async function wantedOf(context: CommandContext): Promise<Wanted> {
  const { flags, io } = context;
  const preset = presetNamed(context);
  const baseUrl = textFlag(flags, "base-url") ?? preset?.baseUrl;
  const type = choiceFlag(flags, "type", TYPES) ?? TYPES[0];
  const model = textFlag(flags, "model");
  const complete = model !== undefined && (baseUrl !== undefined || type !== TYPES[0]);
  if (complete) {
    const base_url = baseUrl ?? "";
    return { id: await idOf(context, base_url, type), type, base_url, api_key: (await keyOf(context)) ?? "", model };
  }
  const keyboard = context.json ? undefined : io.keyboard?.();
  if (keyboard === undefined) throw usage("connect needs --provider or --base-url, and --model, or a terminal");
  try {
    return await ask(context, keyboard, { type, baseUrl, model, preset });
  } finally {
    keyboard.close();
  }
}

function presetNamed({ flags }: CommandContext): ProviderPreset | undefined {
  const name = choiceFlag(
    flags,
    "provider",
    PRESETS.map(({ id }) => id),
  );
  if (name !== undefined && textFlag(flags, "base-url") !== undefined)
    throw usage("--provider and --base-url name the same thing: give one of them");
  return PRESETS.find(({ id }) => id === name);
}

/** The key that the flags name; undefined: they name none. */
async function keyOf(context: CommandContext): Promise<string | undefined> {
  const { flags, io } = context;
  const name = textFlag(flags, "key-env");
  if (name !== undefined) {
    const key = io.env[name]?.trim() ?? "";
    if (key === "") throw usage(`--key-env: ${name} is not set`);
    return key;
  }
  return flags["key-stdin"] === true ? secretText(context, "the key") : undefined;
}

/** A connection to another address keeps its id: its key is not this one's. */
async function idOf({ api, flags }: CommandContext, baseUrl: string, type: string): Promise<string> {
  const given = textFlag(flags, "id");
  if (given !== undefined) return given;
  if (baseUrl === "") return type;
  if (!URL.canParse(baseUrl)) throw usage(`--base-url takes an address, not ${JSON.stringify(baseUrl)}`);
  const { providers } = await api.get("/api/providers", { query: { limit: 200 } });
  const others = providers.filter(({ base_url }) => withoutSlash(base_url) !== withoutSlash(baseUrl));
  return suggestedConnectionId(
    baseUrl,
    others.map(({ id }) => id),
  );
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

interface Known {
  readonly type: Wanted["type"];
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
  readonly preset: ProviderPreset | undefined;
}

async function ask(context: CommandContext, keyboard: Keyboard, known: Known): Promise<Wanted> {
  const { api, write } = context;
  const chosen = known.baseUrl === undefined ? await askAddress(context, keyboard) : known;
  const base_url = chosen.baseUrl ?? "";
  const id = await idOf(context, base_url, known.type);
  if (chosen.preset?.note !== undefined) write(`${chosen.preset.note}\n`);
  const api_key = (await keyOf(context)) ?? (await askKey(context, keyboard, chosen.preset));
  const list = await api.post("/api/config/models", { body: { provider: known.type, api_base: base_url, api_key } });
  if (list.problem !== null) write(`${clean(list.problem.text)}\n`);
  for (const name of list.models.slice(0, SHOWN_MODELS)) write(`  ${clean(name)}\n`);
  if (list.models.length > SHOWN_MODELS) write(`  … and ${list.models.length - SHOWN_MODELS} more\n`);
  const model = known.model ?? (await needed(keyboard, "Model", list.models[0] ?? ""));
  return { id, type: known.type, base_url, api_key, model };
}

/** Servers that run here come first; what is entered is a provider's name or an address. */
async function askAddress(
  { api, write }: CommandContext,
  keyboard: Keyboard,
): Promise<{ readonly baseUrl: string; readonly preset: ProviderPreset | undefined }> {
  const { servers } = await api.get("/api/config/models/local");
  for (const { server, base_url: address, models } of servers)
    write(`Found here: ${clean(server)} at ${clean(address)}, ${models.length} models\n`);
  for (const line of presetLines()) write(line);
  const entered = await needed(keyboard, "Provider, or its address", servers[0]?.base_url ?? "");
  const preset = PRESETS.find(({ id, name }) => [id, name.toLowerCase()].includes(entered.toLowerCase()));
  return { baseUrl: preset?.baseUrl ?? entered, preset };
}

async function askKey({ io, write }: CommandContext, keyboard: Keyboard, preset?: ProviderPreset): Promise<string> {
  if (preset?.keyPage !== undefined) write(`A key is made at ${preset.keyPage}\n`);
  const kept = preset?.keyEnv === undefined ? "" : (io.env[preset.keyEnv]?.trim() ?? "");
  const blank = kept === "" ? "none" : `the one in ${preset?.keyEnv}`;
  const entered = (await keyboard.ask(`Key (not shown; empty for ${blank}): `, { hidden: true }))?.trim() ?? "";
  return entered === "" ? kept : entered;
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
  if (!trial.ok) {
    const hint = trial.problem?.field === "key" && api_key === "" ? " --key-env or --key-stdin passes it." : "";
    context.note(`${clean(trial.problem?.text ?? trial.error)}${hint}\nNothing was saved.\n`);
  } else context.note(`It answers in ${trial.answer?.ms ?? 0} ms and calls tools.\n`);
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
