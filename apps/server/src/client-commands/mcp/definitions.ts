/** `mcp tools`, `mcp test` and `mcp approve`. */
import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { positionalsOf } from "../flag-values.ts";
import { clean, columns } from "../terminal-text.ts";

type Server = AnswerOf<Extract<OperatorDefinition, { readonly name: "mcp.server" }>>;
type Trial = AnswerOf<Extract<OperatorDefinition, { readonly name: "mcp.test" }>>;
type Definition = Server["tools"][number];

export async function showTools(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const server = await onceConnected(context, await api.get("/api/mcp/servers/{name}", { params: { name } }));
  const isYet = isConnecting(server) ? " yet" : "";
  if (json) writeJson({ tools: server.tools });
  else if (server.tools.length === 0) note(`${server.name} shows nothing${isYet} (${stateText(server)}).\n`);
  else writeTools(context, server.tools);
  const held = server.tools.filter(({ changed }) => changed !== undefined && !changed.rejected).length;
  if (held > 0) note(`${held} wait for you: agent-service mcp approve ${server.name}\n`);
  return EXIT.ok;
}

/** Times that a server is looked at while it connects for the first time, and the pause between them. */
const LOOKS = 100;
const LOOK_MS = 250;

const isConnecting = ({ enabled, state }: Server): boolean => enabled && (state === "idle" || state === "starting");

/** A server that was just added connects now: its tools are what was asked for, so they are waited for, within a bound. */
async function onceConnected({ api, io, note }: CommandContext, first: Server): Promise<Server> {
  let server = first;
  if (server.tools.length > 0 || !isConnecting(server)) return server;
  note(`Connecting to ${clean(server.name)} …\n`);
  for (let look = 0; look < LOOKS && server.tools.length === 0 && isConnecting(server); look++) {
    await io.pause(LOOK_MS);
    server = await api.get("/api/mcp/servers/{name}", { params: { name: first.name } });
  }
  return server;
}

function writeTools({ io, write }: CommandContext, tools: readonly Definition[]): void {
  const rows = tools.map(({ full_name: name, kind, state, effect, description }) => [
    ...[name, kind, state, kind === "prompt" ? "" : effect, description],
  ]);
  write(columns(["NAME", "KIND", "STATE", "EFFECT", "WHAT IT DOES"], rows, io.stdout));
}

function writeResources({ io, write }: CommandContext, resources: Trial["resources"]): void {
  if (resources.length === 0) return;
  const rows = resources.map(({ uri, name, media_type: type }) => [uri, type, name]);
  write(`\n${columns(["RESOURCE", "TYPE", "NAME"], rows, io.stdout)}`);
}

/** The state as words, with what it waits for. */
export function stateText({ state, detail }: Pick<Server, "state" | "detail">): string {
  const words = state.replaceAll("_", " ");
  return detail === null ? words : `${words}: ${clean(detail)}`;
}

export async function testServer(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const { settings } = await api.get("/api/mcp/servers/{name}", { params: { name } });
  note(`Connecting to ${clean(name)} …\n`);
  const result = await api.post("/api/mcp/servers/test", { body: { ...settings, name } });
  if (json) writeJson(result);
  else if (result.ok) {
    write(`It answers, in the protocol of ${result.era ?? "an unknown year"}.\n`);
    if (result.tools.length > 0) writeTools(context, result.tools);
    writeResources(context, result.resources);
  } else write(`It does not work: ${clean(result.error ?? "")}\n`);
  return result.ok ? EXIT.ok : EXIT.failed;
}

export async function approveDefinitions(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, positionals, note, write, writeJson } = context;
  const [, name, ...chosen] = positionals;
  if (name === undefined) throw usage("approve needs the name of a server");
  const { tools } = await api.get("/api/mcp/servers/{name}", { params: { name } });
  const held = tools.filter(({ changed }) => changed !== undefined);
  const all = flags.all === true;
  if (all && chosen.length > 0) throw usage("approve takes names or --all, not both");
  if (!all && chosen.length === 0) {
    if (json) writeJson({ held });
    else if (held.length === 0) note("Nothing waits for you.\n");
    else write(held.map((one) => heldText(context, one)).join("\n"));
    if (held.length > 0) note(`Approve with the names, or --all; with --reject they stay as they were approved.\n`);
    return EXIT.ok;
  }
  const wanted = held.filter((one) => all || chosen.includes(one.name) || chosen.includes(one.full_name));
  const unknown = chosen.find((one) => !wanted.some((tool) => tool.name === one || tool.full_name === one));
  if (unknown !== undefined) throw usage(`nothing that waits is named ${JSON.stringify(unknown)}`);
  const body =
    flags.reject === true
      ? { reject: wanted.map((one) => one.name) }
      : { approve: wanted.map((one) => ({ name: one.name, digest: one.digest })) };
  const server = await api.post("/api/mcp/servers/{name}/definitions", { params: { name }, body });
  if (json) writeJson(server);
  else write(`${flags.reject === true ? "Rejected" : "Approved"} ${wanted.length} of ${server.name}.\n`);
  return EXIT.ok;
}

/** What is approved, and what the server shows now; characters that cannot be seen are written as their numbers. */
function heldText(
  { paint }: CommandContext,
  { name, kind, description, input_schema: schema, hints, changed }: Definition,
): string {
  if (changed === undefined) return "";
  const withHints = JSON.stringify(hints) !== JSON.stringify(changed.hints) && !changed.is_new;
  const lines = (mark: string, look: "red" | "green", text: string, json: unknown, said: object) =>
    [
      ...text.split("\n"),
      `arguments: ${JSON.stringify(json)}`,
      ...(withHints ? [`hints: ${JSON.stringify(said)}`] : []),
    ]
      .map((line) => `${paint(look, `${mark} ${visible(line)}`)}\n`)
      .join("");
  const before = changed.is_new ? "" : lines("-", "red", description, schema, hints);
  const what = changed.rejected ? "rejected" : changed.is_new ? "new" : "changed";
  return `${paint("bold", visible(name))}  ${kind}, ${what}\n${before}${lines("+", "green", changed.description, changed.input_schema, changed.hints)}`;
}

function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Co}]/gu,
    (one) => `<U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}
