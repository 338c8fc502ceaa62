/** A connection to a model server as a person enters it. */
export interface ConnectionDraft {
  /** What names it in `<id>:<model>`. Blank: one is made of the address. */
  readonly id: string;
  readonly baseUrl: string;
  /** Blank keeps the stored one. */
  readonly apiKey: string;
  /** The model that is tried, and leads if it is told to. */
  readonly model: string;
}

/** Nothing entered yet. */
export const EMPTY_CONNECTION: ConnectionDraft = { id: "", baseUrl: "", apiKey: "", model: "" };

/** Usual ports of servers on one's own machine. */
const PORTS: Readonly<Record<string, string>> = {
  "11434": "ollama",
  "1234": "lm-studio",
  "8080": "llama",
  "8000": "vllm",
};
const FIRST_LABELS: ReadonlySet<string> = new Set(["api", "www", "gateway", "openapi"]);
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A name for a connection to `baseUrl` that is none of `taken`: the server's port or host says what it is. */
export function suggestedId(baseUrl: string, taken: readonly string[]): string {
  const base = nameOf(baseUrl);
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.includes(id)) return id;
  }
}

function nameOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null) return "gateway";
  const known = PORTS[url.port];
  if (known !== undefined) return known;
  const labels = url.hostname.split(".");
  const chosen = FIRST_LABELS.has(labels[0] ?? "") ? labels[1] : labels.at(-2);
  const name = (chosen ?? labels[0] ?? "").toLowerCase();
  return ID.test(name) && !/^\d+$/.test(name) ? name : "gateway";
}

/** Why a connection cannot be made of this; undefined: it can be tried. */
export function problemOfAddress(baseUrl: string): string | undefined {
  if (baseUrl.trim() === "") return "Enter the server's address.";
  const url = URL.parse(baseUrl.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? undefined : "An address begins with http:// or https://.";
}

/** Why an id cannot be one; undefined: it can. */
export function problemOfId(id: string, taken: readonly string[]): string | undefined {
  if (!ID.test(id)) return "Use 1 to 64 small letters, digits, hyphens or underscores.";
  return taken.includes(id) ? "There is a connection of this name." : undefined;
}

/** What the service is asked to look at: a saved connection by its id, or one that is not saved yet. */
export interface Probe {
  readonly provider: string;
  readonly api_base: string;
  readonly api_key: string;
}

/** The probe of a draft. `saved`: the id of the connection it changes. */
export function probeOf({ baseUrl, apiKey }: ConnectionDraft, saved?: string): Probe {
  return { provider: saved ?? "compat-gateway", api_base: baseUrl.trim(), api_key: apiKey.trim() };
}
