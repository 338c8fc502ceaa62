/** What of MCP servers is on the wire (M4, M16). */
import * as v from "valibot";

const TEXT = 32_768;
const text = (most = TEXT) => v.pipe(v.string(), v.maxLength(most));
const texts = (most = 256) => v.pipe(v.array(text()), v.maxLength(most));
const mapping = v.record(v.string(), v.union([text(), v.number(), v.boolean()]));
export const timestamp = v.pipe(v.string(), v.description("ISO-8601."));

const NAME_RULE =
  "Expected 1 to 32 lower-case letters, digits, hyphens or single underscores, a letter or digit first, and not import, test, catalog or exposed.";
/** Words that paths below `/api/mcp/servers` have for something else. */
const RESERVED = ["import", "test", "catalog", "exposed"];

export const serverName = v.pipe(
  v.string(),
  v.maxLength(32, NAME_RULE),
  v.regex(/^[a-z0-9](?:_?[a-z0-9-])*_?$/, NAME_RULE),
  v.check((name) => !RESERVED.includes(name), NAME_RULE),
);

/** A server in a list. */
export const rowSchema = v.object({
  name: v.string(),
  transport: v.pipe(
    v.nullable(v.picklist(["stdio", "streamable_http", "sse"])),
    v.description("Null where its settings cannot be used."),
  ),
  enabled: v.boolean(),
  state: v.picklist(["disabled", "idle", "starting", "ready", "backoff", "failing", "needs_auth", "misconfigured"]),
  detail: v.pipe(v.nullable(v.string()), v.description("One sentence about the state, where the state says not all.")),
  era: v.pipe(v.nullable(v.picklist(["2025", "2026"])), v.description("Of the protocol; null before it connected.")),
  tool_count: v.pipe(v.number(), v.description("Tools that turns have.")),
  held_count: v.pipe(v.number(), v.description("Definitions that wait for the operator.")),
  calls_running: v.number(),
  pid: v.optional(v.number()),
  restarts: v.pipe(v.number(), v.description("How often it was connected again since the service started.")),
  next_attempt_at: v.optional(timestamp),
  auth: v.picklist(["none", "ok", "needed", "expired"]),
  auth_ends_at: v.pipe(
    v.nullable(v.string()),
    v.description("Until when the sign-in holds; null: it renews itself, or there is none."),
  ),
  warnings: v.array(v.string()),
});

const hints = v.object({
  readOnlyHint: v.optional(v.boolean()),
  destructiveHint: v.optional(v.boolean()),
  idempotentHint: v.optional(v.boolean()),
  openWorldHint: v.optional(v.boolean()),
});
const schemaOf = v.pipe(v.record(v.string(), v.unknown()), v.description("JSON Schema of the arguments."));

/** A tool or prompt of a server. */
export const definitionSchema = v.object({
  kind: v.picklist(["tool", "prompt"]),
  name: v.pipe(v.string(), v.description("The server's own.")),
  full_name: v.pipe(v.string(), v.description("What the model is shown; of a prompt, its slash command.")),
  state: v.pipe(
    v.picklist(["on", "off", "held", "gone"]),
    v.description(
      "`off`: settings leave it out. `held`: it waits for the operator. `gone`: the server has it no more.",
    ),
  ),
  effect: v.picklist(["pure", "idempotent", "effect"]),
  hints,
  description: v.pipe(v.string(), v.description("What is approved, else what the server shows.")),
  input_schema: schemaOf,
  digest: v.pipe(v.string(), v.description("Names what the server shows now; a decision carries it.")),
  changed: v.optional(
    v.pipe(
      v.object({
        rejected: v.boolean(),
        is_new: v.pipe(v.boolean(), v.description("It never had an approved definition.")),
        description: v.string(),
        input_schema: schemaOf,
        hints,
      }),
      v.description("What the server shows now, where that is not what is approved."),
    ),
  ),
});

const placeholder = v.object({
  name: v.string(),
  keys: v.pipe(v.array(v.string()), v.description("Where it stands: args, env, url, headers, cwd.")),
  is_set: v.boolean(),
  has_default: v.boolean(),
});

export const detailSchema = v.object({
  ...rowSchema.entries,
  tools: v.array(definitionSchema),
  log: v.pipe(v.array(v.string()), v.description("The last lines of its standard error and of its connection.")),
  settings: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description("Its entry of `mcp.servers`, with placeholders where values are secrets."),
  ),
  placeholders: v.pipe(v.array(placeholder), v.description("What its entry asks for; values are never returned.")),
});

/** How a server is reached and used; also what may be changed of one. */
const settable = {
  transport: v.optional(
    v.pipe(
      v.picklist(
        ["stdio", "http", "streamable_http", "sse"],
        "Expected stdio, streamable_http (or http), or sse; leave it out to have it follow from command or url.",
      ),
      v.description("Default: it follows from `command` or `url`."),
    ),
  ),
  command: v.optional(text(4_096)),
  args: v.optional(texts()),
  env: v.optional(
    v.pipe(mapping, v.description("Values go to the secrets overlay; a placeholder is left in their place.")),
  ),
  cwd: v.optional(text(4_096)),
  url: v.optional(text(8_192)),
  headers: v.optional(v.pipe(mapping, v.description("As `env`."))),
  enabled: v.optional(v.boolean()),
  tools: v.optional(v.object({ include: v.optional(texts(1_024)), exclude: v.optional(texts(1_024)) })),
  call_timeout: v.optional(v.number()),
  max_result_chars: v.optional(v.number()),
  pinning: v.optional(v.picklist(["strict", "new_ok", "off"])),
  effects: v.optional(v.record(v.string(), v.picklist(["pure", "idempotent", "effect"]))),
  approve: v.optional(v.picklist(["never", "marked", "destructive", "always"])),
  federation: v.optional(v.boolean()),
  elicitation: v.optional(v.boolean()),
  sampling: v.optional(v.boolean()),
  roots: v.optional(v.boolean()),
  oauth: v.optional(
    v.object({
      client_id: v.optional(text(1_000)),
      scopes: v.optional(texts(64)),
      grant: v.optional(v.picklist(["authorization_code", "client_credentials"])),
    }),
  ),
  inherit_env: v.optional(texts(64)),
};
const given = v.pipe(v.record(v.string(), text()), v.maxEntries(256));
const fillable = {
  inputs: v.optional(
    v.pipe(
      given,
      v.description(
        "Values of placeholders, by name. One in `args`, `url` or `cwd` is written in its place, others are kept as secrets.",
      ),
    ),
  ),
  secrets: v.optional(v.pipe(given, v.description("Values of placeholders, by name, that go to the secrets overlay."))),
};
const repinnable = {
  repin: v.optional(
    v.pipe(
      v.boolean(),
      v.description("What it shows next is approved as of a new server: for another `command`, `args` or `url`."),
    ),
  ),
};
const fromCatalog = {
  catalog: v.optional(
    v.pipe(text(64), v.description("The `id` of a server of the catalogue, in place of `command` or `url`.")),
  ),
};

export const addBody = v.strictObject({
  name: v.optional(v.pipe(serverName, v.description("May be left out with `catalog`: its id then."))),
  ...settable,
  ...fillable,
  ...fromCatalog,
  ...repinnable,
});

/** Null takes a field out. */
export const editBody = v.strictObject({
  ...(Object.fromEntries(
    Object.entries(settable).map(([key, schema]) => [key, v.optional(v.nullable(schema.wrapped))]),
  ) as {
    [K in keyof typeof settable]: v.OptionalSchema<
      v.NullableSchema<(typeof settable)[K]["wrapped"], undefined>,
      undefined
    >;
  }),
  ...fillable,
  ...repinnable,
});

export const testBody = v.object({ name: v.optional(serverName), ...settable, ...fillable, ...fromCatalog });

export const importBody = v.object({
  raw: v.pipe(
    v.string(),
    v.nonEmpty("Expected the text of a file."),
    v.description("JSON with comments, at most 1 MiB."),
  ),
  overwrite: v.optional(v.pipe(v.boolean(), v.description("Servers of the same name are replaced, not skipped."))),
});

export const importAnswer = v.object({
  ok: v.literal(true),
  added: v.pipe(v.array(v.string()), v.description("Names as they are here.")),
  servers: v.pipe(v.array(v.string()), v.description("All names, in their order.")),
  skipped: v.array(v.object({ name: v.string(), reason: v.string() })),
  inputs: v.pipe(
    v.array(
      v.object({ server: v.string(), key: v.string(), label: v.string(), secret: v.boolean(), required: v.boolean() }),
    ),
    v.description("What the imported servers ask for: send it as `inputs` or `secrets` of a PATCH."),
  ),
  warnings: v.array(v.object({ name: v.string(), text: v.string() })),
});

export const testAnswer = v.object({
  ok: v.boolean(),
  era: v.nullable(v.picklist(["2025", "2026"])),
  tools: v.pipe(v.array(definitionSchema), v.description("Its tools, then its prompts.")),
  resources: v.pipe(
    v.array(v.object({ uri: v.string(), name: v.string(), media_type: v.string() })),
    v.description("The first 100; `name` and `media_type` are blank where the server says none."),
  ),
  error: v.optional(v.string()),
});

export const catalogEntry = v.object({
  id: v.string(),
  name: v.string(),
  category: v.string(),
  tagline: v.string(),
  may: v.pipe(v.string(), v.description("What its tools may do, in one sentence.")),
  docs: v.string(),
  requires: v.pipe(v.string(), v.description("What must be on the machine; blank: nothing.")),
  official: v.pipe(v.boolean(), v.description("Made by the vendor of what it connects to, or by the makers of MCP.")),
  template: v.pipe(v.record(v.string(), v.unknown()), v.description("Its entry, with placeholders.")),
  inputs: v.array(
    v.object({
      key: v.string(),
      label: v.string(),
      placeholder: v.string(),
      secret: v.boolean(),
      required: v.boolean(),
    }),
  ),
  installed: v.pipe(v.boolean(), v.description("A server of its name is configured.")),
});

export const decideBody = v.strictObject({
  approve: v.optional(v.pipe(v.array(v.object({ name: text(1_000), digest: text(128) })), v.maxLength(2_048))),
  reject: v.optional(v.pipe(v.array(text(1_000)), v.maxLength(2_048))),
});

export const exposedSchema = v.object({
  enabled: v.pipe(v.boolean(), v.description("`mcp.expose.enabled`. Off: the path answers 404.")),
  path: v.string(),
  tools: v.pipe(v.array(v.string()), v.description("Names of all that is offered.")),
  count: v.number(),
  profile: v.optional(v.string()),
  star: v.pipe(v.boolean(), v.description("`mcp.expose.tools` names every tool of the agent.")),
  trust_override: v.pipe(v.literal(false), v.description("Approvals hold for MCP clients as for anybody.")),
  entries: v.array(
    v.object({
      name: v.string(),
      source: v.pipe(
        v.string(),
        v.description(
          "`agent`: a message to the agent. `operation`: of this API. `tool`: a direct call of the agent's tool.",
        ),
      ),
      mutates: v.pipe(v.boolean(), v.description("It may change something.")),
    }),
  ),
});
