import { appendFile, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import {
  acceptedContent,
  inputRequired,
  McpServer,
  type RegisteredTool,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Descriptions } from "./descriptions.ts";
import { square } from "./square.ts";
import { addTaskTools, type Print, TASKS } from "./task-tools.ts";

const STEP_MS = 200;

/** What all connections of the server share. */
export interface World {
  descriptions: Descriptions;
  readonly notes: Map<string, string>;
  /** Tasks, by their ids: they outlive the connection that began them. */
  readonly prints: Map<string, Print>;
  /** The file that has a line for every letter that was posted. */
  readonly letters: string;
}

/** A server for one connection, and what follows a change of the descriptions. */
export interface Connection {
  readonly server: McpServer;
  describe(descriptions: Descriptions): void;
}

function text(content: string) {
  return { content: [{ type: "text" as const, text: content }] };
}

type Tools = Record<string, RegisteredTool>;

function describedAs({ descriptions }: World, name: string): string {
  return descriptions[name] ?? "";
}

/** A tool of each effect class. */
function addPlainTools(server: McpServer, world: World): Tools {
  const tools: Tools = {};
  tools.add = server.registerTool(
    "add",
    {
      description: describedAs(world, "add"),
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => text(String(a + b)),
  );

  tools.set_note = server.registerTool(
    "set_note",
    {
      description: describedAs(world, "set_note"),
      inputSchema: z.object({ name: z.string(), text: z.string() }),
      annotations: { idempotentHint: true, destructiveHint: false },
    },
    async ({ name, text: note }) => {
      world.notes.set(name, note);
      return text(`kept ${name}`);
    },
  );

  tools.post_letter = server.registerTool(
    "post_letter",
    {
      description: describedAs(world, "post_letter"),
      inputSchema: z.object({ to: z.string() }),
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    async ({ to }) => {
      await appendFile(world.letters, `${JSON.stringify(to)}\n`);
      const posted = (await readFile(world.letters, "utf8")).split("\n").length - 1;
      return text(`posted; ${posted} so far`);
    },
  );
  return tools;
}

/** Tools whose call is more than a question and its answer. */
function addLivelyTools(server: McpServer, world: World): Tools {
  const tools: Tools = {};
  const party = z.object({ people: z.number().int().min(1).max(20) });
  tools.book_table = server.registerTool(
    "book_table",
    {
      description: describedAs(world, "book_table"),
      inputSchema: z.object({ restaurant: z.string() }),
      annotations: { destructiveHint: false },
    },
    async ({ restaurant }, context) => {
      const answers = context.mcpReq.inputResponses;
      const answer = acceptedContent(answers, "party", party);
      if (answer !== undefined) return text(`a table for ${answer.people} at ${restaurant}`);
      // Declined, or closed without an answer.
      if (answers !== undefined) return text("no table was booked");
      const ask = inputRequired.elicit({ message: `How many people come to ${restaurant}?`, requestedSchema: party });
      return inputRequired({ inputRequests: { party: ask } });
    },
  );

  tools.count_slowly = server.registerTool(
    "count_slowly",
    {
      description: describedAs(world, "count_slowly"),
      inputSchema: z.object({ to: z.number().int().min(1).max(300) }),
      annotations: { readOnlyHint: true },
    },
    async ({ to }, { mcpReq: { _meta, notify, signal } }) => {
      const progressToken = _meta?.progressToken;
      for (let progress = 1; progress <= to; progress++) {
        await wait(STEP_MS, undefined, { signal });
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: to, message: `counted to ${progress}` };
        await notify({ method: "notifications/progress", params });
      }
      return text(`counted to ${to}`);
    },
  );

  tools.draw_square = server.registerTool(
    "draw_square",
    {
      description: describedAs(world, "draw_square"),
      inputSchema: z.object({ colour: z.string().describe("six hexadecimal digits") }),
      annotations: { readOnlyHint: true },
    },
    async ({ colour }) => {
      if (!/^[0-9a-f]{6}$/i.test(colour)) return { ...text("a colour has six hexadecimal digits"), isError: true };
      return { content: [{ type: "image", data: square(colour).toString("base64"), mimeType: "image/png" }] };
    },
  );
  return tools;
}

/** What people begin a turn with, rather than models. */
function addPrompts(server: McpServer): void {
  server.registerPrompt(
    "write_letter",
    {
      description: "A letter to write, in a tone if one is named.",
      argsSchema: z.object({
        to: z.string().describe("who reads it"),
        tone: z.string().optional().describe("warm, or formal"),
      }),
    },
    ({ to, tone = "warm" }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Write a ${tone} letter to ${to}. Do not post it.` } }],
    }),
  );
}

/** What models read, besides what tools answer: the rules of letters, and every note that was kept. */
function addResources(server: McpServer, { notes }: World): void {
  const rules = { title: "Rules of letters", mimeType: "text/plain" };
  server.registerResource("rules", "letters://rules", rules, async ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "Be kind, and sign with your name." }],
  }));
  const template = new ResourceTemplate("notes://{name}", { list: undefined });
  const note = { description: "A note that set_note kept.", mimeType: "text/plain" };
  server.registerResource("note", template, note, async ({ href }, { name }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: notes.get(String(name)) ?? "There is no such note." }],
  }));
}

/** Makes a server with all its tools, of either era. */
export function connect(world: World): Connection {
  const server = new McpServer(
    { name: "example", version: "1.0.0" },
    { capabilities: { extensions: { [TASKS]: {} } } },
  );
  addPrompts(server);
  addResources(server, world);
  const tools = {
    ...addPlainTools(server, world),
    ...addLivelyTools(server, world),
    ...addTaskTools(server, world.prints, describedAs(world, "print_pages")),
  };
  return {
    server,
    describe(descriptions) {
      for (const [name, tool] of Object.entries(tools)) {
        const description = descriptions[name] ?? "";
        // An update makes the server say that its list changed.
        if (description !== tool.description) tool.update({ description });
      }
    },
  };
}
