/** A provider of models whose address is known, as the wizard and `agent-service connect` offer it. */
export interface ProviderPreset {
  /** Also the id that a connection to it gets. */
  readonly id: string;
  readonly name: string;
  /** Where it runs: at a vendor, on the service's own machine, or wherever its operator put it. */
  readonly place: "hosted" | "local" | "own";
  /** Up to and without `/chat/completions`; blank: only the person knows it. */
  readonly baseUrl: string;
  /** The page where a key is made; absent: it needs none, or its operator hands it out. */
  readonly keyPage?: string;
  /** The environment variable in which people usually keep its key. */
  readonly keyEnv?: string;
  /** What works differently there, in one sentence. */
  readonly note?: string;
}

/** The presets, in the order in which they are offered. Addresses are those of the vendors' own documentation. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = Object.freeze([
  {
    id: "openai",
    name: "OpenAI",
    place: "hosted",
    baseUrl: "https://api.openai.com/v1",
    keyPage: "https://platform.openai.com/api-keys",
    keyEnv: "OPENAI_API_KEY",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    place: "hosted",
    baseUrl: "https://api.anthropic.com/v1",
    keyPage: "https://platform.claude.com/settings/keys",
    keyEnv: "ANTHROPIC_API_KEY",
    note: "Uses Anthropic's OpenAI-compatible endpoint, which has chat and tools, but no prompt caching and no reasoning text.",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    place: "hosted",
    baseUrl: "https://openrouter.ai/api/v1",
    keyPage: "https://openrouter.ai/keys",
    keyEnv: "OPENROUTER_API_KEY",
  },
  {
    id: "google",
    name: "Google",
    place: "hosted",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyPage: "https://aistudio.google.com/apikey",
    keyEnv: "GEMINI_API_KEY",
    note: "Uses the OpenAI-compatible endpoint of the Gemini API.",
  },
  {
    id: "groq",
    name: "Groq",
    place: "hosted",
    baseUrl: "https://api.groq.com/openai/v1",
    keyPage: "https://console.groq.com/keys",
    keyEnv: "GROQ_API_KEY",
  },
  {
    id: "mistral",
    name: "Mistral",
    place: "hosted",
    baseUrl: "https://api.mistral.ai/v1",
    keyPage: "https://console.mistral.ai/api-keys",
    keyEnv: "MISTRAL_API_KEY",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    place: "hosted",
    baseUrl: "https://api.deepseek.com",
    keyPage: "https://platform.deepseek.com/api_keys",
    keyEnv: "DEEPSEEK_API_KEY",
  },
  { id: "ollama", name: "Ollama", place: "local", baseUrl: "http://127.0.0.1:11434/v1" },
  { id: "lm-studio", name: "LM Studio", place: "local", baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "vllm", name: "vLLM", place: "local", baseUrl: "http://127.0.0.1:8000/v1" },
  {
    id: "litellm",
    name: "LiteLLM",
    place: "local",
    baseUrl: "http://127.0.0.1:4000/v1",
    keyEnv: "LITELLM_API_KEY",
    note: "The key is one that its proxy gave you.",
  },
  {
    id: "other",
    name: "Other",
    place: "own",
    baseUrl: "",
  },
] as const satisfies readonly ProviderPreset[]);

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const FIRST_LABELS: ReadonlySet<string> = new Set(["api", "www", "gateway", "openapi"]);

/** The preset an address belongs to, by its host, or by its port where it is on one's own machine or network. */
export function presetOf(baseUrl: string): ProviderPreset | undefined {
  const url = URL.parse(baseUrl);
  if (url === null) return undefined;
  return PROVIDER_PRESETS.find((preset) => {
    const known = URL.parse(preset.baseUrl);
    if (known === null) return false;
    return preset.place === "hosted" ? known.hostname === url.hostname : known.port === url.port;
  });
}

/** An id for a connection to an address that is not in `taken`: its preset's, else one after its host. */
export function suggestedConnectionId(baseUrl: string, taken: readonly string[] = []): string {
  return freeId(presetOf(baseUrl)?.id ?? nameOf(baseUrl), taken);
}

/** `base`, or the first of `base-2`, `base-3` … that is free. */
export function freeId(base: string, taken: readonly string[]): string {
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.includes(id)) return id;
  }
}

function nameOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null) return "gateway";
  // Of llama.cpp, which has no preset: it serves the one model it was started with.
  if (url.port === "8080") return "llama";
  const labels = url.hostname.split(".");
  const chosen = FIRST_LABELS.has(labels[0] ?? "") ? labels[1] : labels.at(-2);
  const name = (chosen ?? labels[0] ?? "").toLowerCase();
  return ID.test(name) && !/^\d+$/.test(name) ? name : "gateway";
}
