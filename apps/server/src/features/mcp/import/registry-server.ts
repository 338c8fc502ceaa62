/** A `server.json` of the MCP registry as an entry: its remote where it has one, else its package, pinned. */
import { EntryError, type ImportedServer, type McpServerDeclaration } from "./imported-server.ts";
import { field, fieldsOf, type JsonFields, listField, plainText, textField } from "./own-fields.ts";
import { PlaceholderCollector } from "./placeholders.ts";

const REMOTES: { readonly [type: string]: "streamable_http" | "sse" } = {
  "streamable-http": "streamable_http",
  streamable: "streamable_http",
  http: "streamable_http",
  sse: "sse",
};

/** How a package of a registry is started: the program, what stands before the package, and the package at a version. */
const RUNNERS: {
  readonly [registry: string]: {
    readonly command: string;
    readonly before: readonly string[];
    pinned(identifier: string, version: string | undefined): string;
  };
} = {
  npm: { command: "npx", before: ["-y"], pinned: (name, version) => at(name, version) },
  pypi: { command: "uvx", before: [], pinned: (name, version) => at(name, version) },
  nuget: { command: "dnx", before: [], pinned: (name, version) => at(name, version) },
  oci: {
    command: "docker",
    before: ["run", "-i", "--rm"],
    pinned: (image, version) =>
      version === undefined || /:[^/]+$|@sha256:/.test(image) ? image : `${image}:${version}`,
  },
};

export function readRegistryServer(server: JsonFields): ImportedServer {
  const name = (textField(server, "name") ?? "").split("/").at(-1)?.slice(0, 200) ?? "";
  const placeholders = new PlaceholderCollector();
  const remotes = fieldsOfAll(listField(server, "remotes"));
  const packages = fieldsOfAll(listField(server, "packages"));
  const remote =
    remotes.find((one) => REMOTES[remoteType(one)] === "streamable_http") ??
    remotes.find((one) => Object.hasOwn(REMOTES, remoteType(one)));
  const known = packages.find(
    (one) =>
      Object.hasOwn(RUNNERS, registryOf(one)) && textField(one, "identifier", "name") !== undefined && isStdio(one),
  );
  const declaration = remote ? ofRemote(remote, placeholders) : known ? ofPackage(known, placeholders) : undefined;
  if (declaration === undefined)
    throw new EntryError("It has no remote address and no npm, PyPI, NuGet or container package; add it by hand.");
  const status = textField(server, "status");
  return {
    name,
    declaration,
    inputs: placeholders.inputs,
    warnings: status === undefined || status === "active" ? [] : ["its publisher marked it as no longer maintained"],
  };
}

function ofRemote(remote: JsonFields, placeholders: PlaceholderCollector): McpServerDeclaration {
  const url = textField(remote, "url");
  if (url === undefined) throw new EntryError("Its remote has no `url`; add it by hand.");
  const headers = valuesOf(listField(remote, "headers"), placeholders);
  return {
    transport: REMOTES[remoteType(remote)] ?? "streamable_http",
    url: withVariables(url, fieldsOf(field(remote, "variables")) ?? {}, placeholders),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  };
}

function ofPackage(pack: JsonFields, placeholders: PlaceholderCollector): McpServerDeclaration {
  const registry = registryOf(pack);
  const runner = RUNNERS[registry];
  const identifier = textField(pack, "identifier", "name");
  if (runner === undefined || identifier === undefined) throw new EntryError("Its package is of no known kind.");
  const env = valuesOf(listField(pack, "environmentVariables", "environment_variables"), placeholders);
  const given = argumentsOf(listField(pack, "runtimeArguments", "runtime_arguments"), placeholders);
  const after = argumentsOf(listField(pack, "packageArguments", "package_arguments"), placeholders);
  const passed = registry === "oci" ? env.flatMap(([name]) => ["-e", name]) : [];
  const before = runner.before.every((word) => given.includes(word)) ? [] : runner.before;
  const version = textField(pack, "version");
  const own = registry === "nuget" ? ["--yes", ...(after.length > 0 ? ["--"] : [])] : [];
  return {
    transport: "stdio",
    command: runner.command,
    args: [...before, ...passed, ...given, runner.pinned(identifier, version), ...own, ...after],
    ...(env.length > 0 && { env: Object.fromEntries(env) }),
  };
}

/** Environment variables or headers that have a value or must be given one. */
function valuesOf(
  declared: readonly unknown[],
  placeholders: PlaceholderCollector,
): readonly (readonly [name: string, text: string])[] {
  return fieldsOfAll(declared).flatMap((one) => {
    const name = textField(one, "name");
    if (name === undefined) return [];
    const text = givenValue(one, name, placeholders);
    return text === undefined ? [] : [[name, text] as const];
  });
}

function argumentsOf(declared: readonly unknown[], placeholders: PlaceholderCollector): readonly string[] {
  return fieldsOfAll(declared).flatMap((one) => {
    const name = textField(one, "name");
    const isNamed = textField(one, "type") === "named" && name !== undefined;
    const hint = textField(one, "valueHint", "value_hint") ?? (name ?? "value").replace(/^-+/, "");
    const text = givenValue(one, hint, placeholders);
    if (isNamed) return text === undefined ? (isRequired(one) ? [name] : []) : [name, text];
    return text === undefined ? [] : [text];
  });
}

/** A fixed value with its variables, else a placeholder of `name`; undefined: it may be left out, and is. */
function givenValue(one: JsonFields, name: string, placeholders: PlaceholderCollector): string | undefined {
  const value = plainText(field(one, "value"));
  if (value !== undefined) return withVariables(value, fieldsOf(field(one, "variables")) ?? {}, placeholders);
  const fallback = plainText(field(one, "default"));
  if (fallback === undefined && !isRequired(one) && !isSecret(one)) return undefined;
  return placeholders.add(name, name, declarationOf(one, fallback));
}

/** `{name}` of a template, where the file says what it is. */
function withVariables(template: string, variables: JsonFields, placeholders: PlaceholderCollector): string {
  return template.replace(/\{([A-Za-z0-9_.-]{1,100})\}/g, (whole, name: string) => {
    const declared = fieldsOf(field(variables, name));
    if (declared === undefined) return whole;
    const fixed = plainText(field(declared, "value"));
    return fixed ?? placeholders.add(name, name, declarationOf(declared, plainText(field(declared, "default"))));
  });
}

function declarationOf(one: JsonFields, fallback: string | undefined) {
  const choices = listField(one, "choices").flatMap((choice) => plainText(choice) ?? []);
  const label = [textField(one, "description"), choices.length === 0 ? "" : `one of ${choices.slice(0, 20).join(", ")}`]
    .filter((part) => part)
    .join(": ");
  const said = field(one, "isSecret", "is_secret");
  return {
    ...(label !== "" && { label }),
    ...(typeof said === "boolean" && { secret: said }),
    fallback,
  };
}

const isRequired = (one: JsonFields): boolean => field(one, "isRequired", "is_required") === true;
const isSecret = (one: JsonFields): boolean => field(one, "isSecret", "is_secret") === true;
const remoteType = (one: JsonFields): string => textField(one, "type", "transport_type", "transportType") ?? "";
const registryOf = (one: JsonFields): string => textField(one, "registryType", "registry_type", "registry_name") ?? "";
const at = (name: string, version: string | undefined): string => (version === undefined ? name : `${name}@${version}`);

function isStdio(pack: JsonFields): boolean {
  const transport = fieldsOf(field(pack, "transport"));
  return transport === undefined || (textField(transport, "type") ?? "stdio") === "stdio";
}

function fieldsOfAll(list: readonly unknown[]): readonly JsonFields[] {
  return list.slice(0, 256).flatMap((one) => {
    const fields = fieldsOf(one);
    return fields === undefined ? [] : [fields];
  });
}
