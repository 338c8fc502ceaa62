/** The layouts in which programs keep their MCP servers (M16), as entries of ours. */
import { JSON_LIMITS, parseJson, unstorablePath } from "@agent-service/agent-core/host";
import stripJsonComments from "strip-json-comments";
import {
  EntryError,
  ImportError,
  type ImportedServer,
  type ReadImport,
  type SkippedServer,
} from "./imported-server.ts";
import { field, fieldsOf, type JsonFields, listField, textField } from "./own-fields.ts";
import { type InputDeclaration, readInputDeclarations } from "./placeholders.ts";
import { readEntry } from "./read-entry.ts";
import { readRegistryServer } from "./registry-server.ts";

/** Most bytes of a text (M16). */
export const MAX_IMPORT_BYTES = 1024 * 1024;
/** Most entries that are looked at. */
const MAX_ENTRIES = 1_000;
const MAX_NAME = 200;

type Reader = () => ImportedServer;

/**
 * Reads JSON with comments and commas before closing brackets.
 * @throws ImportError where nothing of it can be imported
 */
export function readImport(raw: string): ReadImport {
  if (Buffer.byteLength(raw) > MAX_IMPORT_BYTES)
    throw new ImportError("The text is larger than 1 MiB; import a part of it.");
  const root = fieldsOf(parse(raw));
  if (root === undefined) throw new ImportError("The text is not a JSON object; paste the whole file.");
  const found = readersOf(root);
  if (found === undefined)
    throw new ImportError(
      "No server was found in it: expected mcpServers, servers, mcp, a server.json, or entries with command or url under names.",
    );
  const servers: ImportedServer[] = [];
  const skipped: SkippedServer[] = [];
  for (const [name, read] of found.slice(0, MAX_ENTRIES)) {
    try {
      servers.push(read());
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      skipped.push({ name: name.slice(0, MAX_NAME), reason: error.message });
    }
  }
  return { servers, skipped };
}

function parse(raw: string): unknown {
  const text = raw.replace(/^\uFEFF/, "").trim();
  if (text === "") throw new ImportError("The text is empty; paste a file, or one entry of it.");
  // Documentation shows single entries, without the braces around them.
  const whole = text.startsWith('"') ? `{${text}}` : text;
  const parsed = parseJson(stripJsonComments(whole, { trailingCommas: true }), {
    ...JSON_LIMITS,
    maxLength: MAX_IMPORT_BYTES + 2,
  });
  if (parsed.ok && unstorablePath(parsed.value) !== undefined)
    throw new ImportError("A text of it holds a NUL character or half of a surrogate pair; take that out.");
  if (parsed.ok) return parsed.value;
  if (parsed.code === "json.syntax")
    throw new ImportError(
      "The text is not JSON, also with comments and trailing commas; look for a missing bracket, comma or quote.",
    );
  throw new ImportError(`${parsed.message.charAt(0).toUpperCase()}${parsed.message.slice(1)}.`);
}

/** What reads each entry of a layout; undefined: the text has none that is known. */
function readersOf(root: JsonFields): readonly (readonly [name: string, read: Reader])[] | undefined {
  const claude = fieldsOf(field(root, "mcpServers"));
  if (claude !== undefined) return ofMapping(claude, field(root, "inputs"));
  const registry = registryServers(root);
  if (registry !== undefined)
    return registry.map((server) => [textField(server, "name") ?? "", () => readRegistryServer(server)]);
  const servers = fieldsOf(field(root, "servers"));
  if (servers !== undefined && !isEntry(servers)) return ofMapping(servers, field(root, "inputs"));
  const mcp = fieldsOf(field(root, "mcp"));
  if (mcp !== undefined && !isEntry(mcp)) {
    const nested = fieldsOf(field(mcp, "servers"));
    return nested !== undefined && !isEntry(nested)
      ? ofMapping(nested, field(mcp, "inputs"))
      : ofMapping(entriesOnly(mcp), field(mcp, "inputs"));
  }
  if (isEntry(root)) throw new ImportError('The entry has no name; write {"name": {…}} around it.');
  const bare = entriesOnly(root);
  return Object.values(bare).some((one) => isEntry(fieldsOf(one) ?? {})) ? ofMapping(bare, undefined) : undefined;
}

function ofMapping(mapping: JsonFields, inputs: unknown): readonly (readonly [name: string, read: Reader])[] {
  const declared: ReadonlyMap<string, InputDeclaration> = readInputDeclarations(inputs);
  return Object.entries(mapping).map(([name, value]) => {
    const short = name.slice(0, MAX_NAME);
    return [short, () => readEntry(short, value, declared)];
  });
}

/** `$schema`, `inputs` and settings beside the entries are none. */
function entriesOnly(mapping: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(mapping).filter(([, value]) => fieldsOf(value) !== undefined));
}

function isEntry(one: JsonFields): boolean {
  const command = field(one, "command");
  return (
    typeof command === "string" ||
    Array.isArray(command) ||
    ["url", "serverUrl", "httpUrl"].some((key) => typeof field(one, key) === "string")
  );
}

/** One server.json, the answer that holds it, or a list of such answers. */
function registryServers(root: JsonFields): readonly JsonFields[] | undefined {
  const listed = listField(root, "servers").flatMap((one) => {
    const fields = fieldsOf(one);
    return fields === undefined ? [] : [fieldsOf(field(fields, "server")) ?? fields];
  });
  if (listed.length > 0) return listed;
  const one = fieldsOf(field(root, "server")) ?? root;
  const isServer =
    textField(one, "name") !== undefined && ["packages", "remotes"].some((key) => Array.isArray(one[key]));
  return isServer ? [one] : undefined;
}
