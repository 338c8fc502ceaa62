import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";
import { callRoutes, type McpCallService } from "./call-routes.ts";
import {
  addBody,
  catalogEntry,
  decideBody,
  detailSchema,
  editBody,
  exposedSchema,
  importAnswer,
  importBody,
  rowSchema,
  testAnswer,
  testBody,
} from "./schema.ts";
import { beginSignIn, finishSignIn, signOut } from "./sign-in-routes.ts";

const tag = "MCP";
const params = { name: "Of the server." } as const;
const unknown = { 404: "There is no such server." } as const;
const failures = {
  400: "A setting that cannot be saved here.",
  409: "There are 64 servers already, or the configuration is managed elsewhere.",
} as const;
const names = v.pipe(v.array(v.string()), v.description("All names, in their order."));

export const listServers = defineRoute({
  name: "mcp.servers",
  method: "GET",
  path: "/api/mcp/servers",
  tag,
  summary: "The MCP servers and what each is doing, in the order of the configuration",
  reply: json(
    v.object({
      enabled: v.pipe(
        v.boolean(),
        v.description("`mcp.enabled`. Off: none is started, and none of their tools exist."),
      ),
      servers: v.array(rowSchema),
    }),
  ),
});

export const addServer = defineRoute({
  name: "mcp.add",
  method: "POST",
  path: "/api/mcp/servers",
  tag,
  decides: true,
  summary: "Adds an MCP server or replaces how one is reached, and turns MCP on",
  description: `Answers before the server is connected. Of one that is there, what is not sent stays, such as the tools that are left out.
Adding one runs its program, or sends it what the agent's calls hold.`,
  body: addBody,
  reply: json(v.object({ ok: v.literal(true), name: v.string(), servers: names })),
  failures: { ...failures, 404: "The catalogue has no such server." },
  example: {
    body: {
      name: "files",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/srv/shared"],
    },
  },
});

export const importServers = defineRoute({
  name: "mcp.import",
  method: "POST",
  path: "/api/mcp/servers/import",
  tag,
  decides: true,
  summary: "Adds the servers of another program's file, and turns MCP on",
  description: `Takes \`mcpServers\`, \`servers\` with \`inputs\` of VS Code, \`mcp\` of opencode, a bare mapping, and a \`server.json\` of the
registry. Every placeholder is an input, because nothing is read from the environment for them.`,
  body: importBody,
  reply: json(importAnswer),
  failures,
  example: { body: { raw: '{"mcpServers": {"docs": {"url": "https://docs.example/mcp"}}}' } },
});

export const testServer = defineRoute({
  name: "mcp.test",
  method: "POST",
  path: "/api/mcp/servers/test",
  tag,
  decides: true,
  summary: "Connects to a server that need not be saved and lists its tools; saves and pins nothing",
  body: testBody,
  reply: json(testAnswer),
  failures: { 404: "The catalogue has no such server." },
});

export const readServer = defineRoute({
  name: "mcp.server",
  method: "GET",
  path: "/api/mcp/servers/{name}",
  tag,
  summary: "One MCP server with its tools, its log and its settings",
  params,
  reply: json(detailSchema),
  failures: unknown,
});

export const editServer = defineRoute({
  name: "mcp.edit",
  method: "PATCH",
  path: "/api/mcp/servers/{name}",
  tag,
  decides: true,
  summary: "Changes what is sent of a server, and gives its placeholders values; null takes a setting out",
  params,
  body: editBody,
  reply: json(detailSchema),
  failures: { ...failures, ...unknown },
});

export const removeServer = defineRoute({
  name: "mcp.remove",
  method: "DELETE",
  path: "/api/mcp/servers/{name}",
  tag,
  decides: true,
  summary: "Removes a server and its secrets",
  params,
  reply: json(v.object({ ok: v.literal(true), servers: names })),
  failures: { ...failures, ...unknown },
});

export const restartServer = defineRoute({
  name: "mcp.restart",
  method: "POST",
  path: "/api/mcp/servers/{name}/restart",
  tag,
  summary: "Ends the connection and opens another at once; calls under way end on the old one",
  params,
  reply: json(v.object({ ok: v.literal(true), server: rowSchema })),
  failures: { ...unknown, 409: "It is switched off, or its settings cannot be used." },
});

export const decideDefinitions = defineRoute({
  name: "mcp.definitions",
  method: "POST",
  path: "/api/mcp/servers/{name}/definitions",
  tag,
  decides: true,
  summary: "Approves or rejects what a server changed of its tools and prompts",
  params,
  body: decideBody,
  reply: json(detailSchema),
  failures: {
    404: "There is no such server, or it never showed such a definition.",
    409: "A definition changed since.",
  },
});

export const readCatalog = defineRoute({
  name: "mcp.catalog",
  method: "GET",
  path: "/api/mcp/catalog",
  tag,
  summary: "Servers that are known to work, with what each may do and what it asks for",
  reply: json(v.object({ servers: v.array(catalogEntry) })),
});

export const readExposed = defineRoute({
  name: "mcp.exposed",
  method: "GET",
  path: "/api/mcp/exposed",
  tag,
  summary: "What this instance offers to MCP clients of its own",
  description:
    "`ask_agent`, the operations of `mcp.expose.profile`, and the agent's tools that `mcp.expose.tools` names. Listed whether or not `/mcp` is on.",
  reply: json(exposedSchema),
});

type Row = Frozen<v.InferInput<typeof rowSchema>>;
type Detail = Frozen<v.InferInput<typeof detailSchema>>;
/** A server in the list. */
export type McpServerRow = Row;
/** A server with its tools, log and settings. */
export type McpServerPage = Detail;
/** What adds a server, or is tested. */
export type McpServerBody = v.InferOutput<typeof addBody>;
/** What changes a server. */
export type McpServerChange = v.InferOutput<typeof editBody>;
type McpCatalogEntry = Frozen<v.InferInput<typeof catalogEntry>>;

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface McpService extends McpCallService {
  list(): { readonly enabled: boolean; readonly servers: readonly Row[] };
  /** Undefined: there is none. */
  read(name: string): Detail | undefined;
  /** Resolves with all names. */
  add(body: McpServerBody): Promise<{ readonly name: string; readonly servers: readonly string[] }>;
  import(request: v.InferOutput<typeof importBody>): Promise<Frozen<Omit<v.InferInput<typeof importAnswer>, "ok">>>;
  edit(name: string, change: McpServerChange): Promise<Detail>;
  remove(name: string): Promise<readonly string[]>;
  test(body: v.InferOutput<typeof testBody>, signal: AbortSignal): Promise<Frozen<v.InferInput<typeof testAnswer>>>;
  restart(name: string): Promise<Row>;
  decide(name: string, decision: v.InferOutput<typeof decideBody>): Promise<Detail>;
  /** `redirectUri` was not checked. */
  beginSignIn(name: string, redirectUri: string): Promise<{ readonly url: string; readonly state: string }>;
  finishSignIn(name: string, answer: Readonly<Record<string, string>>): Promise<Row>;
  signOut(name: string): Promise<Row>;
  catalog(): readonly McpCatalogEntry[];
  exposed(): Frozen<ReplyInput<typeof readExposed.reply>>;
}

export function mcpRoutes(mcp: McpService): readonly ServedRoute[] {
  return [
    serve(listServers, () => mcp.list()),
    serve(addServer, async ({ body }) => ({ ok: true as const, ...(await mcp.add(body)) })),
    serve(importServers, async ({ body }) => ({ ok: true as const, ...(await mcp.import(body)) })),
    serve(testServer, ({ body, signal }) => mcp.test(body, signal)),
    serve(readServer, ({ params: { name } }) => {
      const found = mcp.read(name);
      if (found === undefined) throw new Problem(404, "There is no such server; GET /api/mcp/servers lists them.");
      return found;
    }),
    serve(editServer, ({ params: { name }, body }) => mcp.edit(name, body)),
    serve(removeServer, async ({ params: { name } }) => ({ ok: true as const, servers: await mcp.remove(name) })),
    serve(restartServer, async ({ params: { name } }) => ({ ok: true as const, server: await mcp.restart(name) })),
    serve(decideDefinitions, ({ params: { name }, body }) => mcp.decide(name, body)),
    serve(beginSignIn, ({ params: { name }, body }) => mcp.beginSignIn(name, body.redirect_uri)),
    serve(finishSignIn, async ({ params: { name }, body }) => ({
      ok: true as const,
      server: await mcp.finishSignIn(name, body.params),
    })),
    serve(signOut, async ({ params: { name } }) => ({ ok: true as const, server: await mcp.signOut(name) })),
    ...callRoutes(mcp),
    serve(readCatalog, () => ({ servers: mcp.catalog() })),
    serve(readExposed, () => mcp.exposed()),
  ];
}
