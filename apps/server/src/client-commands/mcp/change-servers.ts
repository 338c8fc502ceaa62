/** `mcp add`, `mcp import`, `mcp set` and `mcp remove`. */
import { readFile } from "node:fs/promises";
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choiceFlag, positionalsOf, textFlag } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";
import { entryKeysOf } from "./entry-keys.ts";
import { askForValues, headersOf, type McpImport, pairsOf } from "./values.ts";

export async function addServer(context: CommandContext): Promise<ExitCode> {
  const { api, flags, positionals } = context;
  const [, name, ...words] = positionals;
  if (name === undefined) throw usage("add needs a name, or the id of a server of the catalogue");
  const env = pairsOf(context, "env");
  const headers = headersOf(context);
  const given = pairsOf(context, "input");
  const keys = entryKeysOf(context);
  const [first, ...args] = words;
  if (first === undefined) return addFromCatalog(context, name, given);
  if (textFlag(flags, "name") !== undefined) throw usage("--name is for servers of the catalogue");
  const isAddress = /^https?:\/\//i.test(first);
  if (isAddress && args.length > 0) throw usage("an address takes no arguments");
  if (isAddress && Object.keys(env).length > 0) throw usage("--env is for programs; an address takes --header");
  if (!isAddress && Object.keys(headers).length > 0) throw usage("--header is for addresses; a program takes --env");
  const body = isAddress
    ? { name, url: first, headers, ...(flags.sse === true && { transport: "sse" as const }) }
    : { name, command: first, args, env };
  const repin = flags.repin === true && { repin: true };
  return added(context, await api.post("/api/mcp/servers", { body: { ...body, ...keys, inputs: given, ...repin } }));
}

async function addFromCatalog(
  context: CommandContext,
  id: string,
  given: { readonly [name: string]: string },
): Promise<ExitCode> {
  const { api, flags } = context;
  const { servers } = await api.get("/api/mcp/catalog");
  const known = servers.find((one) => one.id === id);
  if (known === undefined)
    throw usage("the catalogue has no such server: mcp catalog lists them, and others need an address or -- <command>");
  const values = await askForValues(context, known.inputs, given);
  const name = textFlag(flags, "name");
  const body = {
    catalog: id,
    ...(name !== undefined && { name }),
    ...entryKeysOf(context),
    ...values,
    ...(flags.repin === true && { repin: true }),
  };
  return added(context, await api.post("/api/mcp/servers", { body }));
}

function added(
  { json, write, writeJson }: CommandContext,
  answer: { readonly ok: true; readonly name: string; readonly servers: readonly string[] },
): ExitCode {
  if (json) writeJson(answer);
  else write(`Added ${answer.name}. It connects now: agent-service mcp tools ${answer.name} shows what it brings.\n`);
  return EXIT.ok;
}

export async function importServers(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, writeJson } = context;
  const [file = ""] = positionalsOf(context, "a file, or - for standard input");
  const raw = file === "-" ? await io.piped?.() : await readText(file);
  if (raw === undefined) throw usage("import - reads standard input, which is a terminal");
  const answer = await api.post("/api/mcp/servers/import", { body: { raw, overwrite: flags.overwrite === true } });
  if (json) {
    writeJson(answer);
    return answer.added.length === 0 ? EXIT.failed : EXIT.ok;
  }
  return showImport(context, answer);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usage(`the file cannot be read (${code ?? "unknown error"})`);
  }
}

async function showImport(context: CommandContext, answer: McpImport): Promise<ExitCode> {
  const { api, note, write } = context;
  for (const name of answer.added) write(`Added ${name}\n`);
  for (const { name, reason } of answer.skipped) write(`Skipped ${clean(name)}: ${clean(reason)}\n`);
  for (const { name, text } of answer.warnings) note(`${name}: ${clean(text)}\n`);
  for (const server of answer.added) {
    const asked = answer.inputs.filter((input) => input.server === server && input.required);
    if (asked.length === 0) continue;
    const values = await askForValues(context, asked, {});
    const filled = { ...values.inputs, ...values.secrets };
    if (Object.keys(filled).length > 0)
      await api.patch("/api/mcp/servers/{name}", { params: { name: server }, body: values });
    const missing = asked.filter(({ key }) => filled[key] === undefined);
    if (missing.length > 0)
      note(
        `${server} needs ${missing.map(({ key }) => key).join(", ")}: agent-service mcp set ${server}${missing.map(({ key }) => ` --input ${key}=…`).join("")}\n`,
      );
  }
  return answer.added.length === 0 ? EXIT.failed : EXIT.ok;
}

export async function setServer(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const enabled = choiceFlag(flags, "enabled", ["on", "off"]);
  const env = pairsOf(context, "env");
  const headers = headersOf(context);
  const given = pairsOf(context, "input");
  const { placeholders, settings } = await api.get("/api/mcp/servers/{name}", { params: { name } });
  const change = {
    ...entryKeysOf(context, settings),
    ...(enabled !== undefined && { enabled: enabled === "on" }),
    ...(Object.keys(env).length > 0 && { env: { ...mappingOf(settings.env), ...env } }),
    ...(Object.keys(headers).length > 0 && { headers: { ...mappingOf(settings.headers), ...headers } }),
    ...(Object.keys(given).length > 0 && { inputs: given }),
    ...(flags.repin === true && { repin: true }),
  };
  const asked = placeholders.filter(({ is_set: isSet, has_default: hasDefault }) => !isSet && !hasDefault);
  const values =
    Object.keys(change).length > 0
      ? undefined
      : await askForValues(
          context,
          asked.map(({ name: key }) => ({ key, label: key, secret: true, required: true })),
          {},
        );
  const secrets = values?.secrets ?? {};
  if (Object.keys(change).length === 0 && Object.keys(secrets).length === 0)
    throw usage("set takes --input, --env, --header, --inherit-env, --set, --enabled or --repin");
  const body = { ...change, ...(Object.keys(secrets).length > 0 && { secrets }) };
  const server = await api.patch("/api/mcp/servers/{name}", { params: { name }, body });
  if (json) writeJson(server);
  else write(`Saved: ${server.name} (${server.state.replaceAll("_", " ")})\n`);
  return EXIT.ok;
}

function mappingOf(value: unknown): { readonly [name: string]: string } {
  return typeof value === "object" && value !== null ? (value as { readonly [name: string]: string }) : {};
}

export async function removeServer(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const answer = await api.delete("/api/mcp/servers/{name}", { params: { name } });
  if (json) writeJson(answer);
  else write(`Removed ${clean(name)} and its secrets.\n`);
  return EXIT.ok;
}
