/** An entry of `mcp.servers` as it is saved: its secrets in the overlay, placeholders where they were (M3). */
import {
  CLIENT_SECRET,
  isSecretName,
  type McpSectionValue,
  placeholdersOf,
  readMcpServer,
  type ServerTarget,
  takeSecretsOut,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";

/** An entry in the file's spelling. */
export interface RawServer {
  readonly [key: string]: unknown;
}

/** Values by the names of placeholders. */
export interface Values {
  readonly [name: string]: string;
}

/** An entry and what of it belongs into `mcp.secrets.<name>`. */
export interface StoredServer {
  readonly name: string;
  readonly entry: RawServer;
  readonly secrets: Values;
}

const TARGET_KEYS = ["transport", "command", "args", "env", "cwd", "url", "headers"] as const;

/** A refusal of what was sent, one sentence that repeats nothing of it. */
export function refusedBody(message: string, field?: string): Problem {
  const loc = ["body", ...(field === undefined ? [] : [field])];
  return new Problem(422, [{ loc, msg: sentenceOf(message), type: "mcp" }]);
}

/** What the engine says, as a sentence. */
export function sentenceOf(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith(".") ? "" : "."}`;
}

/** What was sent of a program for an address, or the other way round, would be saved and do nothing. @throws Problem 422 */
export function refuseMisplaced<T extends RawServer>(sent: RawServer, whole: T): T {
  const { command, url } = whole;
  if ((command === undefined) === (url === undefined)) return whole;
  const [others, advice] =
    url === undefined
      ? [["headers"], "`headers` is for servers with `url`; a program takes `env`"]
      : [["args", "env", "cwd"], "`args`, `env` and `cwd` are for servers with `command`; an address takes `headers`"];
  const misplaced = others.find((key) => Object.keys(sent[key] ?? {}).length > 0);
  if (misplaced !== undefined) throw refusedBody(advice, misplaced);
  return whole;
}

/** An entry with a change over it: what reaches a server is replaced as a whole where it is sent, the rest stays. */
export function withChange(before: RawServer | undefined, change: RawServer): RawServer {
  const otherKind =
    (change.command !== undefined && before?.url !== undefined) ||
    (change.url !== undefined && before?.command !== undefined);
  const kept = Object.entries(before ?? {}).filter(
    ([key]) => !(otherKind && TARGET_KEYS.includes(key as (typeof TARGET_KEYS)[number])),
  );
  const merged = Object.entries({ ...Object.fromEntries(kept), ...withoutUndefined(change) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** An entry whose way to the server is that of another; what is not about it stays. */
export function withTarget(before: RawServer | undefined, declared: RawServer): RawServer {
  const rest = Object.entries(before ?? {}).filter(
    ([key]) => !TARGET_KEYS.includes(key as (typeof TARGET_KEYS)[number]),
  );
  return { ...Object.fromEntries(rest), ...withoutUndefined(declared) };
}

/**
 * Whether an entry is reached at another address than before. What was given to one address is not sent to another: its
 * values must be given again.
 */
export function movesElsewhere(before: RawServer | undefined, after: RawServer): boolean {
  return before !== undefined && originOf(before.url) !== originOf(after.url);
}

function originOf(url: unknown): string {
  return typeof url === "string" ? (/^[^:]*:\/\/[^/?#]*/.exec(url)?.[0].toLowerCase() ?? url) : "";
}

function withoutUndefined(entry: RawServer): RawServer {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** How a server is reached. @throws Problem 422 where the entry cannot be used */
export function targetOf(entry: RawServer, section: McpSectionValue): ServerTarget {
  const read = readMcpServer(entry, section);
  if (read.kind === "misconfigured") throw refusedBody(read.problem);
  return read.settings.target;
}

/**
 * Moves values into the overlay. `values.inputs` are written in their place in `args`, `url` and `cwd`, unless their name
 * is a secret's; all others are secrets.
 * @throws Problem 422
 */
export function storedServer(
  entry: RawServer & { readonly name: string },
  section: McpSectionValue,
  values: {
    readonly inputs?: Values | undefined;
    readonly secrets?: Values | undefined;
    readonly stored?: Values | undefined;
  },
): StoredServer {
  const { inputs = {}, secrets = {}, stored = {} } = values;
  const before = withClientSecret(placeholderKeys(targetOf(entry, section)), entry);
  for (const name of [...Object.keys(inputs), ...Object.keys(secrets)])
    if (!before.has(name))
      throw refusedBody("`inputs` and `secrets` name placeholders of the server; one is none of it");
  if (Object.values(inputs).some((value) => value.includes("${")))
    throw refusedBody("a value in `inputs` holds a placeholder itself; give the value that it stands for", "inputs");
  const literal = new Map(
    Object.entries(inputs).filter(
      ([name, value]) =>
        value !== "" && !isSecretName(name) && !["env", "headers"].some((key) => before.get(name)?.includes(key)),
    ),
  );
  const filled = fillLiterals(entry, literal);
  const taken = takeSecretsOut(targetOf(filled, section));
  const { target } = taken;
  const used = withClientSecret(placeholderKeys(target), entry);
  const kept = Object.entries({ ...stored, ...inputs, ...secrets, ...taken.secrets }).filter(
    ([name, value]) => used.has(name) && value.trim() !== "",
  );
  return {
    name: entry.name,
    entry: {
      ...filled,
      ...(target.transport === "stdio"
        ? Object.keys(target.env).length > 0 && { env: target.env }
        : Object.keys(target.headers).length > 0 && { headers: target.headers }),
    },
    secrets: Object.fromEntries(kept),
  };
}

/** The entry with every value in its place, as a test of what is not saved needs it. */
export function filledServer(entry: RawServer, section: McpSectionValue, values: Values): RawServer {
  targetOf(entry, section);
  return fillLiterals(entry, new Map(Object.entries(values)), true);
}

/** The keys that each placeholder of a target stands in. */
export function placeholderKeys(target: ServerTarget): ReadonlyMap<string, readonly string[]> {
  return new Map(placeholdersOf(target, NO_VALUES).map(({ name, keys }) => [name, keys]));
}

/** The secret of a configured client stands in no placeholder: the sign-in reads it (M13). */
function withClientSecret(keys: ReadonlyMap<string, readonly string[]>, { oauth }: RawServer) {
  return oauth === undefined || oauth === null ? keys : new Map([...keys, [CLIENT_SECRET, ["oauth"]]]);
}

/** For what placeholders are there, whatever their values. */
const NO_VALUES = { secrets: {}, inheritEnv: [], environment: {}, isForbidden: () => true } as const;

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})(?::-[^}]*)?\}/g;

function fillLiterals(entry: RawServer, values: ReadonlyMap<string, string>, everywhere = false): RawServer {
  if (values.size === 0) return entry;
  const fill = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
  };
  const keys = everywhere ? ["args", "url", "cwd", "env", "headers"] : ["args", "url", "cwd"];
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, keys.includes(key) ? fill(value) : value]),
  );
}
