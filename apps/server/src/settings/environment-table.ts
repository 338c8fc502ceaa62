/** One row of the table of variables. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly meaning: string;
  /** The setting it feeds, for variables that the configuration reads. */
  readonly setting?: string;
  /** Its value is a secret although its name does not say so. */
  readonly secret?: true;
}

/** Every variable this release reads (B73; N3, R13). */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = [
  {
    name: "SVC_HOME",
    meaning: "Folder of the stores, host-config.yaml and the compiled program; default ~/.protoagent.",
  },
  {
    name: "SVC_CONFIG_DIR",
    meaning: "Folder of agent-config.yaml and secrets.yaml; default config/ of the checkout, else config in the home.",
  },
  {
    name: "SVC_URL",
    meaning: "Address of the service that commands such as status talk to; default this machine's, port 7870.",
  },
  { name: "SVC_INSTANCE", meaning: "Separates this instance's stores by one path segment.", setting: "instance.id" },
  { name: "SVC_MODEL", meaning: "Overrides the lead model on every load.", setting: "model.name" },
  {
    name: "MODEL_API_KEY",
    meaning: "Key of the gateway that is used without a providers block.",
    setting: "model.api_key",
  },
  {
    name: "MODEL_API_BASE",
    meaning: "Address of the gateway that is used without a providers block.",
    setting: "model.api_base",
  },
  { name: "WEB_SEARCH_API_KEY", meaning: "Key of the Brave Search API.", setting: "web_search.api_key" },
  { name: "SVC_CODEX_BASE_URL", meaning: "Endpoint of connections of the type oauth-subscription-b." },
  {
    name: "SVC_CODEX_OUTPUT_VERSION",
    meaning: "Shape of contents of oauth-subscription-b: responses/v1 (default), or v0 for the legacy one.",
  },
  { name: "OLLAMA_HOST", meaning: "Where Ollama listens, when models of this machine are looked for." },
  {
    name: "SVC_UI",
    meaning: "console (default) or none (API, A2A and metrics only); full is a deprecated alias of console.",
  },
  { name: "SVC_HEADLESS", meaning: "Deprecated alias: 1 means SVC_UI=none." },
  { name: "SVC_HEADLESS_SETUP", meaning: "1 completes setup from a valid configuration." },
  { name: "SVC_HOST", meaning: "Address to listen on; default 127.0.0.1." },
  { name: "SVC_ALLOW_OPEN", meaning: "1 allows listening beyond loopback without a token." },
  { name: "SVC_TRUSTED_HOSTS", meaning: "Further Host names an instance without a token answers to, comma-separated." },
  {
    name: "AGENT_NAME",
    meaning: "Short slug for metrics, traces and logs; default protoagent.",
    setting: "identity.name",
  },
  {
    name: "<AGENT_NAME>_API_KEY",
    meaning: "Value expected in X-API-Key; the name in capitals, other characters as _.",
  },
  { name: "A2A_AUTH_TOKEN", meaning: "Operator's bearer token.", setting: "auth.token" },
  { name: "A2A_FEDERATION_TOKEN", meaning: "Bearer token of peers.", setting: "auth.federation_token" },
  {
    name: "SECRETS_MANAGER_CLIENT_ID",
    meaning: "Machine identity at the external secrets manager.",
    setting: "secrets_manager.client_id",
    secret: true,
  },
  {
    name: "SECRETS_MANAGER_CLIENT_SECRET",
    meaning: "Its secret.",
    setting: "secrets_manager.client_secret",
  },
  { name: "SVC_NO_SECRETS_HYDRATE", meaning: "Any value: nothing is fetched from the secrets manager." },
  { name: "A2A_ALLOWED_ORIGINS", meaning: "Origins streaming answers to, comma-separated; * for all." },
  {
    name: "A2A_PUBLIC_URL",
    meaning: "Base of the address on the agent's card; default the loopback address with the bound port.",
  },
  {
    name: "PUSH_NOTIFICATION_ALLOWED_HOSTS",
    meaning: "Hosts webhooks may reach although they are private, comma-separated.",
  },
  {
    name: "PUSH_NOTIFICATION_ALLOWED_CIDRS",
    meaning: "Address blocks webhooks may reach although they are private, comma-separated.",
  },
  { name: "TRACING_HOST", meaning: "Address of the trace collector, where tracing.host is blank." },
  {
    name: "TRACING_PUBLIC_KEY",
    meaning:
      "With TRACING_SECRET_KEY: the credentials at TRACING_HOST; they win over the configured ones and never go to tracing.host.",
    secret: true,
  },
  { name: "TRACING_SECRET_KEY", meaning: "See TRACING_PUBLIC_KEY; one without the other counts as none." },
  {
    name: "TASKS_DB_PATH",
    meaning: "File of the task board, or the address of a libSQL server; default tasks/issues.db in the home.",
  },
  { name: "SCHEDULER_DISABLED", meaning: "1 takes the tools that schedule away, as middleware.scheduler: false does." },
  { name: "LOG_LEVEL", meaning: "DEBUG, INFO (default), WARNING or ERROR." },
  { name: "LOG_FORMAT", meaning: "text (default) or json." },
  {
    name: "LOG_BUFFER_LINES",
    meaning: "Log lines kept in memory for /api/diagnostics/logs; default 2000, 0 keeps none, at most 50000.",
  },
];

/** A variable of the specification that nothing reads yet. */
export interface ReservedVariable {
  /** `<HANDLE>` stands for one word in capitals. */
  readonly name: string;
  /** What brings it. */
  readonly feature: string;
}

/**
 * Every variable of the specification whose feature is not part of this release. It leaves this list for the one above
 * with its feature; a test holds both against the documents and the code.
 */
export const RESERVED_VARIABLES: readonly ReservedVariable[] = [
  { name: "SVC_WORKSPACE", feature: "filesystem tools" },
  { name: "SVC_FLEET_AUTOSTART", feature: "fleet" },
  { name: "SVC_FLEET_KEEP_MEMBERS_ON_EXIT", feature: "fleet" },
  { name: "SVC_FLEET_MAX_WARM", feature: "fleet" },
  { name: "SVC_FLEET_WARM_GRACE", feature: "fleet" },
  { name: "SVC_FLEET_TRACE_EXPORT", feature: "fleet and tracing" },
  { name: "SVC_DISCOVERY_DISABLE", feature: "discovery" },
  { name: "MEMORY_PATH", feature: "memory" },
  { name: "SVC_DISABLE_MEMORY", feature: "memory" },
  { name: "KNOWLEDGE_DB_PATH", feature: "knowledge" },
  { name: "NOTES_PATH", feature: "notes" },
  { name: "GOAL_PATH", feature: "goals" },
  { name: "SCHEDULER_DB_DIR", feature: "scheduler" },
  { name: "SCHEDULER_INVOKE_URL", feature: "scheduler" },
  { name: "SCHEDULER_FIRE_TIMEOUT_S", feature: "scheduler" },
  { name: "AUDIT_PATH", feature: "the evaluation harness, which alone reads it" },
  { name: "PEER_<HANDLE>_URL", feature: "peers" },
  { name: "PEER_<HANDLE>_TOKEN", feature: "peers" },
];

/** The names of the variables that are set although nothing reads them, sorted. */
export function reservedVariablesIn(env: { readonly [name: string]: string | undefined }): string[] {
  const patterns = RESERVED_VARIABLES.map(({ name }) => new RegExp(`^${name.replace("<HANDLE>", "[A-Z0-9_]+")}$`));
  return Object.keys(env)
    .filter((name) => env[name]?.trim() !== "" && patterns.some((pattern) => pattern.test(name)))
    .sort();
}
