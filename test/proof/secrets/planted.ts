/** Draws secrets, and says where each is planted. */
import type { Random } from "../random.ts";
import { mcpSettings } from "./mcp-traffic.ts";

/**
 * Where a secret is planted. The service knows those of `config`, `variable`, `manager` and `mcp`; those of `thrown` and
 * `refused` it can know by their shape only; those of `header` and `submitted` it is sent and has no use for.
 */
export type SecretKind = "config" | "variable" | "manager" | "mcp" | "thrown" | "refused" | "header" | "submitted";

/** One secret. */
export interface Planted {
  readonly kind: SecretKind;
  /** Where exactly, for the report. */
  readonly place: string;
  readonly value: string;
}

/** All of them, and what is made of them. */
export interface Plan {
  readonly all: readonly Planted[];
  /** Those the service knows. */
  readonly known: readonly string[];
  readonly config: object;
  readonly overlay: object;
  readonly variables: { readonly [name: string]: string };
  /** What the secrets manager holds, by name. */
  readonly managed: ReadonlyMap<string, string>;
  readonly identity: { readonly clientId: string; readonly clientSecret: string };
  readonly token: string;
  readonly federation: string;
}

/** Addresses of the doubles. */
export interface PlanAddresses {
  readonly gateway: string;
  readonly infisical: string;
}

const SHARES: readonly [SecretKind, number][] = [
  ["config", 0.3],
  ["variable", 0.25],
  ["manager", 0.15],
  ["mcp", 0.15],
  ["thrown", 0.06],
  ["refused", 0.06],
  ["header", 0.1],
  ["submitted", 0.08],
];

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ALPHABETS = [LETTERS, "0123456789abcdef", `${LETTERS}+/=`, `${LETTERS}-._~!$%^*()`, `${LETTERS}"\\'<>&#@ `];

function draw(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[random.int(0, alphabet.length - 1)]).join("");
}

/** Any printable text a key may be. It begins and ends with a letter: blanks there are cut off before they are a secret. */
function anySecret(random: Random): string {
  const inside = draw(random, random.pick(ALPHABETS), random.int(10, 48));
  return draw(random, LETTERS, 2) + inside + draw(random, LETTERS, 2);
}

/** A text that gives itself away. */
function shapedSecret(random: Random): string {
  const shapes = [
    () => `sk-${draw(random, LETTERS, random.int(20, 48))}`,
    () => `ghp_${draw(random, LETTERS, 36)}`,
    () => `AKIA${draw(random, LETTERS.slice(0, 26), 16)}`,
    () => `eyJ${draw(random, LETTERS, 20)}.${draw(random, LETTERS, 30)}.${draw(random, LETTERS, 30)}`,
    () => `hf_${draw(random, LETTERS, 30)}`,
  ];
  return random.pick(shapes)();
}

const SUFFIXES = [
  "API_KEY",
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "ACCESS_KEY",
  "PRIVATE_KEY",
  "CLIENT_SECRET",
  "CREDENTIALS",
];
/** Variables of the service itself, in the order they are planted. */
const OWN_VARIABLES = [
  ...["PROTOAGENT_API_KEY", "A2A_AUTH_TOKEN", "MODEL_API_KEY", "WEB_SEARCH_API_KEY"],
  ...["TRACING_PUBLIC_KEY", "TRACING_SECRET_KEY"],
];

/** Draws `count` secrets. The same `random` draws the same ones. */
export function plant(random: Random, count: number, addresses: PlanAddresses): Plan {
  const all = SHARES.flatMap(([kind, share]) => {
    const own = random.fork(kind);
    const shaped = kind === "thrown" || kind === "refused";
    // Credentials of this service travel in headers, which hold no quotes.
    const plain = kind === "header" || kind === "mcp";
    return Array.from({ length: Math.max(6, Math.round(count * share)) }, (_, index): Planted => {
      const draws = shaped ? shapedSecret : plain || index < 6 ? plainSecret : anySecret;
      return { kind, place: `${kind} ${index}`, value: draws(own) };
    });
  });
  const values = (kind: SecretKind): string[] => all.filter((one) => one.kind === kind).map(({ value }) => value);
  const [token = "", federation = "", search, clientId = "", clientSecret = "", retired, ...keys] = values("config");
  const mcp = mcpSettings(values("mcp"));
  return {
    all,
    known: [...values("config"), ...values("variable"), ...values("manager"), ...values("mcp")],
    config: {
      providers: connectionsOf(keys, addresses.gateway).map(({ connection }) => connection),
      model: { name: "scripted:demo", api_key: retired, max_retries: 0 },
      web_search: { base_url: addresses.gateway },
      tracing: { enabled: true },
      secrets_manager: { enabled: true, host: addresses.infisical, project_id: "project", refresh_seconds: 0 },
      mcp: mcp.config,
    },
    overlay: {
      auth: { token, federation_token: federation },
      web_search: { api_key: search },
      secrets_manager: { client_id: clientId, client_secret: clientSecret },
      providers: Object.fromEntries(connectionsOf(keys, addresses.gateway).flatMap(({ overlay }) => overlay)),
      mcp: mcp.overlay,
    },
    variables: Object.fromEntries(values("variable").map(variableOf)),
    managed: new Map(values("manager").map((value, index) => [`MANAGED_${index}`, value])),
    identity: { clientId, clientSecret },
    token,
    federation,
  };
}

function plainSecret(random: Random): string {
  return draw(random, LETTERS, random.int(12, 40));
}

/** Keys of connections in turn in the file, in the overlay, and as a subscription's credential. */
function connectionsOf(
  keys: readonly string[],
  gateway: string,
): { readonly connection: object; readonly overlay: readonly (readonly [id: string, secret: unknown])[] }[] {
  const [first = "", second = ""] = keys.slice(-2);
  const subscription = { id: "sub", type: "oauth-subscription-a" };
  return [
    ...keys.slice(0, -2).map((key, index) => {
      const connection = { id: `c${index}`, type: "compat-gateway", base_url: gateway };
      return index % 2 === 0
        ? { connection: { ...connection, api_key: key }, overlay: [] }
        : { connection, overlay: [[connection.id, key] as const] };
    }),
    { connection: subscription, overlay: [[subscription.id, { access_token: first, refresh_token: second }] as const] },
    { connection: { id: "scripted", type: "scripted" }, overlay: [] },
  ];
}

function variableOf(value: string, index: number): [string, string] {
  const own = OWN_VARIABLES[index];
  if (own !== undefined) return [own, value];
  if (index % 7 === 0) return [`DATABASE_URL_${index}`, `postgres://agent:${encodeURIComponent(value)}@db.test/x`];
  return [`FOREIGN_${index}_${SUFFIXES[index % SUFFIXES.length]}`, value];
}
