import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { positionalsOf, refuseArguments, textFlag, textFlags } from "../flag-values.ts";
import { addServer, importServers, removeServer, setServer } from "../mcp/change-servers.ts";
import { approveDefinitions, showTools, stateText, testServer } from "../mcp/definitions.ts";
import { listCalls, replayCall } from "../mcp/recorded-calls.ts";
import { serveStdio } from "../mcp/serve-stdio.ts";
import { signIn, signOut } from "../mcp/sign-in.ts";
import { clean, columns } from "../terminal-text.ts";

/** The flags that a form takes beside those of every command. */
const FLAGS: { readonly [verb: string]: readonly string[] } = {
  list: [],
  catalog: [],
  add: ["name", "input", "env", "header", "inherit-env", "set", "sse", "repin"],
  import: ["overwrite"],
  set: ["input", "env", "header", "inherit-env", "set", "enabled", "repin"],
  test: [],
  tools: [],
  approve: ["all", "reject"],
  calls: ["limit"],
  replay: ["yes"],
  login: [],
  logout: [],
  restart: [],
  logs: [],
  remove: [],
  serve: [],
};

/** `agent-service mcp`. */
export const mcpCommand: ClientCommand = {
  name: "mcp",
  order: 84,
  summary: "MCP servers: other programs' tools, and who approves them",
  usage: `agent-service mcp [list]
agent-service mcp catalog [<word>]             servers that are known to work
agent-service mcp add <name> …                 an id of the catalogue; or a name and an address; or a name,
                                               -- and the command of a program
agent-service mcp import <file>                the servers of another program's file; - reads standard input
agent-service mcp set <name>                   gives it values, switches it on or off, changes keys of its entry
agent-service mcp test <name>                  connects once more, beside the connection that is open
agent-service mcp tools <name>                 its tools and prompts
agent-service mcp approve <name> [<tool> …]    what it changed; approves what is named
agent-service mcp calls <name>                 the calls of its tools, newest first
agent-service mcp replay <call>                makes a call once more, with both results side by side
agent-service mcp login <name>                 signs in to a service that asks for it
agent-service mcp logout <name>                forgets its tokens, and has them ended
agent-service mcp restart <name>
agent-service mcp logs <name>                  the last lines of its standard error
agent-service mcp remove <name>                with its secrets
agent-service mcp serve                        this service as an MCP server over standard input and output

  --input <NAME=value>     with add and set: a value that the server asks for
  --env <NAME=value>       with add and set: of a program; kept as a secret
  --header <Name: value>   with add and set: of a service; kept as a secret
  --inherit-env <NAME>     with add and set: a variable of this service that the server may have
  --set <key=value>        with add and set: any other key of its entry (cwd, tools.include, tools.exclude, call_timeout,
                           max_result_chars, pinning, effects.<tool>, approve, federation, elicitation, sampling, roots,
                           oauth.client_id, oauth.scopes, oauth.grant, inherit_env, enabled); a value is JSON, else text
  --name <name>            with add: another name for one of the catalogue
  --sse                    with add: a service of the old transport
  --enabled <on|off>       with set
  --repin                  with add and set: approves what it shows next, as of a new server
  --overwrite              with import: replace servers of the same name
  --all                    with approve: everything that waits
  --reject                 with approve: keep what was approved
  --limit <number>         with calls; 20
  --yes                    with replay: also where the tool may have effects, which then happen once more

replay ends with 0 where both results are the same, with 1 where they differ, and with 5 while it waits for a person.
`,
  options: {
    input: { type: "string", multiple: true },
    env: { type: "string", multiple: true },
    header: { type: "string", multiple: true },
    "inherit-env": { type: "string", multiple: true },
    set: { type: "string", multiple: true },
    name: { type: "string" },
    sse: { type: "boolean" },
    enabled: { type: "string" },
    repin: { type: "boolean" },
    overwrite: { type: "boolean" },
    all: { type: "boolean" },
    reject: { type: "boolean" },
    limit: { type: "string" },
    yes: { type: "boolean" },
  },
  async run(context) {
    const [verb = "list"] = context.positionals;
    const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (known === undefined) throw usage(`mcp takes ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    refuseFlags(context, verb);
    return known(context);
  },
};

const VERBS: { readonly [verb: string]: (context: CommandContext) => Promise<ExitCode> } = Object.freeze({
  list: listServers,
  catalog: showCatalog,
  add: addServer,
  import: importServers,
  set: setServer,
  test: testServer,
  tools: showTools,
  approve: approveDefinitions,
  calls: listCalls,
  replay: replayCall,
  login: signIn,
  logout: signOut,
  restart: restartServer,
  logs: showLog,
  remove: removeServer,
  serve: serveStdio,
});

/** A flag that would do nothing is a mistake. */
function refuseFlags({ flags }: CommandContext, verb: string): void {
  const all = Object.values(FLAGS).flat();
  const given = all.find(
    (name) =>
      FLAGS[verb]?.includes(name) !== true &&
      (flags[name] === true || textFlag(flags, name) !== undefined || textFlags(flags, name).length > 0),
  );
  if (given !== undefined) throw usage(`mcp ${verb} takes no --${given}`);
}

async function listServers({ api, io, json, note, positionals, write, writeJson }: CommandContext): Promise<ExitCode> {
  refuseArguments("mcp list", positionals.slice(1));
  const { enabled, servers } = await api.get("/api/mcp/servers");
  if (json) {
    writeJson({ enabled, servers });
    return EXIT.ok;
  }
  if (servers.length === 0) note("There is no MCP server: agent-service mcp catalog lists some.\n");
  else {
    const rows = servers.map((server) => [
      ...[server.name, stateText(server), server.transport ?? "", String(server.tool_count)],
      [...(server.held_count > 0 ? [`${server.held_count} wait for you`] : []), ...server.warnings].join("; "),
    ]);
    write(columns(["SERVER", "STATE", "TRANSPORT", "TOOLS", ""], rows, io.stdout));
  }
  if (!enabled && servers.length > 0) note("MCP is off: agent-service config set mcp.enabled=true turns it on.\n");
  return EXIT.ok;
}

async function showCatalog({ api, io, json, note, positionals, write, writeJson }: CommandContext): Promise<ExitCode> {
  const [word = "", ...more] = positionals.slice(1);
  refuseArguments("mcp catalog", more);
  const { servers } = await api.get("/api/mcp/catalog");
  const found = servers.filter((one) =>
    [one.id, one.name, one.category, one.tagline].join(" ").toLowerCase().includes(word.toLowerCase()),
  );
  if (json) writeJson({ servers: found });
  else if (found.length === 0) note("The catalogue has none of that.\n");
  else {
    const rows = found.map(({ id, category, tagline, inputs, installed }) => {
      const asks = inputs.map(({ key }) => key).join(", ");
      return [id, category, tagline, asks, installed ? "added" : ""];
    });
    write(columns(["ID", "CATEGORY", "WHAT FOR", "ASKS FOR", ""], rows, io.stdout));
  }
  return EXIT.ok;
}

async function restartServer(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const { server } = await api.post("/api/mcp/servers/{name}/restart", { params: { name } });
  if (json) writeJson({ server });
  else write(`${server.name} connects anew (${stateText(server)}).\n`);
  return EXIT.ok;
}

async function showLog(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const { log } = await api.get("/api/mcp/servers/{name}", { params: { name } });
  if (json) writeJson({ log });
  else if (log.length === 0) note("It wrote nothing.\n");
  else write(log.map((line) => `${clean(line)}\n`).join(""));
  return EXIT.ok;
}
