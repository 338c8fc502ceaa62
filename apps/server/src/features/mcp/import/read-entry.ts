/** One entry of a file's mapping of servers, in the spelling of any program that writes such files. */
import { EntryError, type ImportedServer, type McpServerDeclaration } from "./imported-server.ts";
import { field, fieldsOf, type JsonFields, listField, plainText, textField } from "./own-fields.ts";
import { type InputDeclaration, PlaceholderCollector } from "./placeholders.ts";

const TRANSPORTS: { readonly [type: string]: "stdio" | "streamable_http" | "sse" } = {
  stdio: "stdio",
  local: "stdio",
  http: "streamable_http",
  "streamable-http": "streamable_http",
  streamable_http: "streamable_http",
  streamablehttp: "streamable_http",
  sse: "sse",
};

/** Keys that mean something elsewhere and nothing here. */
const REMARKS: { readonly [key: string]: string } = {
  envFile: "`envFile` is not read; add what it holds to `env`",
  headersHelper: "`headersHelper` is not run; give the header its value",
  inherit_env: "`inherit_env` is not imported; name the variables in the settings",
  alwaysAllow: "what runs without asking is not imported; see `approve`",
  autoApprove: "what runs without asking is not imported; see `approve`",
  trust: "what runs without asking is not imported; see `approve`",
  sandbox: "`sandbox` is not imported; the program runs as the service's user",
};

export function readEntry(
  name: string,
  value: unknown,
  declared: ReadonlyMap<string, InputDeclaration>,
): ImportedServer {
  const entry = fieldsOf(value);
  if (entry === undefined) throw new EntryError("It is not a mapping; give it `command` or `url`.");
  const placeholders = new PlaceholderCollector(declared);
  const target = targetOf(entry, placeholders);
  const warnings = [...remarksOf(entry), ...relativeFolder(entry), ...leftOut(entry)];
  const tools = toolsOf(entry);
  const oauth = oauthOf(entry);
  const declaration: McpServerDeclaration = {
    ...target,
    ...(entry.disabled === true || entry.enabled === false ? { enabled: false } : {}),
    ...(tools && { tools }),
    ...(oauth && { oauth }),
  };
  return { name, declaration, inputs: placeholders.inputs, warnings: [...new Set(warnings)] };
}

function targetOf(entry: JsonFields, placeholders: PlaceholderCollector): McpServerDeclaration {
  const streamable = textField(entry, "httpUrl");
  const url = streamable ?? textField(entry, "url", "serverUrl");
  const [command, ...before] = commandOf(entry);
  const type = textField(entry, "type", "transport")?.toLowerCase();
  if (type !== undefined && type !== "remote" && !Object.hasOwn(TRANSPORTS, type))
    throw new EntryError("Its transport is none that is known here; use stdio, streamable_http or sse.");
  const transport = type === undefined ? undefined : TRANSPORTS[type];
  if (command !== undefined && url !== undefined && transport === undefined)
    throw new EntryError("It has both `command` and `url`; take one of them out.");
  if (url !== undefined && transport !== "stdio") {
    const headers = textsOf(field(entry, "headers"));
    return {
      transport: transport ?? (streamable === undefined && /\/sse\/?$/.test(pathOf(url)) ? "sse" : "streamable_http"),
      url: placeholders.rewrite(url),
      ...(headers.length > 0 && { headers: rewritten(headers, placeholders, true) }),
    };
  }
  if (command === undefined) throw new EntryError("It has neither `command` nor `url`; give one of them.");
  const args = [...before, ...listField(entry, "args").flatMap((arg) => plainText(arg) ?? [])];
  const env = textsOf(field(entry, "env", "environment"));
  const cwd = textField(entry, "cwd");
  const [program = command, ...rest] = withoutWindowsShell([command, ...args]);
  return {
    transport: "stdio",
    command: placeholders.rewrite(program),
    ...(rest.length > 0 && { args: rest.map((arg) => placeholders.rewrite(arg)) }),
    ...(env.length > 0 && { env: rewritten(env, placeholders, false) }),
    ...(cwd !== undefined && isAbsolute(cwd) && { cwd: placeholders.rewrite(cwd) }),
  };
}

function commandOf(entry: JsonFields): readonly string[] {
  const command = field(entry, "command");
  if (Array.isArray(command)) return command.flatMap((part) => plainText(part) ?? []);
  const one = textField(entry, "command");
  return one === undefined ? [] : [one];
}

/** `cmd /c npx …` is how files of Windows start what is a script there. */
function withoutWindowsShell(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  return /^cmd(?:\.exe)?$/i.test(first) && /^\/c$/i.test(second) && words.length > 2 ? words.slice(2) : words;
}

function textsOf(value: unknown): readonly (readonly [name: string, text: string])[] {
  return Object.entries(fieldsOf(value) ?? {}).flatMap(([name, one]) => {
    const text = plainText(one);
    return text === undefined ? [] : [[name, text] as const];
  });
}

function rewritten(
  texts: readonly (readonly [name: string, text: string])[],
  placeholders: PlaceholderCollector,
  isHeader: boolean,
): { [name: string]: string } {
  return Object.fromEntries(texts.map(([name, text]) => [name, placeholders.rewrite(text, name, isHeader)]));
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

function isAbsolute(cwd: string): boolean {
  return /^(?:\/|~(?:\/|$)|\$\{)/.test(cwd);
}

function relativeFolder(entry: JsonFields): readonly string[] {
  const cwd = textField(entry, "cwd");
  return cwd === undefined || isAbsolute(cwd)
    ? []
    : ["`cwd` was relative to another program's folder and is left out; give an absolute one if it matters"];
}

function remarksOf(entry: JsonFields): readonly string[] {
  return Object.keys(entry).flatMap((key) => (Object.hasOwn(REMARKS, key) ? (REMARKS[key] ?? []) : []));
}

/** What of an entry is of a shape that no program writes, and that the server goes without. */
function leftOut(entry: JsonFields): readonly string[] {
  const args = field(entry, "args");
  const isLost = (value: unknown): boolean => plainText(value) === undefined;
  const warnings: string[] = [];
  if (args !== undefined && !Array.isArray(args))
    warnings.push("`args` is no list and was left out; write each argument as a text of a list");
  if (listField(entry, "args").some(isLost)) warnings.push("an argument that is no text was left out of `args`");
  for (const key of ["env", "environment", "headers"]) {
    const values = field(entry, key);
    const fields = fieldsOf(values);
    if (values !== undefined && fields === undefined) warnings.push(`\`${key}\` is no mapping and was left out`);
    // Null is how files say that there is none.
    if (Object.values(fields ?? {}).some((one) => one !== null && isLost(one)))
      warnings.push(`a value that is no text was left out of \`${key}\``);
  }
  return warnings;
}

function toolsOf(entry: JsonFields): McpServerDeclaration["tools"] {
  const own = field(entry, "tools");
  const fields = fieldsOf(own) ?? {};
  const include = namesOf(
    ...[listField(entry, "includeTools"), Array.isArray(own) ? own : [], listField(fields, "include")],
  ).filter((name) => name !== "*");
  const exclude = namesOf(
    ...[listField(entry, "excludeTools"), listField(entry, "disabledTools"), listField(fields, "exclude")],
  );
  if (include.length === 0 && exclude.length === 0) return undefined;
  return { ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) };
}

function namesOf(...lists: readonly (readonly unknown[])[]): readonly string[] {
  return lists.flat().filter((name): name is string => typeof name === "string" && name !== "");
}

function oauthOf(entry: JsonFields): McpServerDeclaration["oauth"] {
  const oauth = fieldsOf(field(entry, "oauth", "auth"));
  if (oauth === undefined) return undefined;
  const clientId = textField(oauth, "clientId", "client_id", "CLIENT_ID");
  const scopes = namesOf(listField(oauth, "scopes"), (textField(oauth, "scope", "scopes") ?? "").split(/[\s,]+/));
  if (clientId === undefined && scopes.length === 0) return undefined;
  return { ...(clientId !== undefined && { client_id: clientId }), ...(scopes.length > 0 && { scopes }) };
}
