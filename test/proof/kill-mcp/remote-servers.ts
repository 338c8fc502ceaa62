/**
 * MCP servers of 2026 over HTTP in the proof's own process, which no kill of the service ends: `/remote` asks with forms,
 * `/works` makes tasks of its calls, and so does `/lies`, which lies about them; and one of 2025, `/older`. Every effect is a line of the file, those of
 * the counting program too, which reports them to `/effect`.
 */
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Effect } from "./effects.ts";
import { LYING_TOOLS, lieAbout } from "./lying-tasks.ts";
import { type OlderMessage, OlderServer } from "./older-server.ts";
import type { ServerTask } from "./server-task.ts";

interface Params {
  readonly name?: string;
  readonly arguments?: { readonly token?: string; readonly ms?: number };
  readonly taskId?: string;
  readonly requestState?: string;
  readonly inputResponses?: {
    readonly word?: { readonly action?: string; readonly content?: { readonly word?: unknown } };
  };
}

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Params;
}

/** A moment of an effect at which somebody is called, once; the server goes on when they are done. */
export interface EffectAlarm {
  readonly nth: number;
  readonly side: "before" | "after";
  readonly ring: () => unknown;
}

/** The servers over HTTP. */
type ServerName = keyof typeof TOOLS;

/** The servers of a trial. */
export interface RemoteServers {
  readonly url: string;
  readonly tasks: ReadonlyMap<string, ServerTask>;
  /** What went wrong at the servers. */
  readonly complaints: readonly string[];
  /** Forms that were answered: those of 2025, and of those of 2026 the ones that an earlier life of the service was asked. */
  readonly forms: { answered: number; afterKill: number; held: number };
  /** Another life of the service begins. */
  beginLife(): void;
  alarm(alarm: EffectAlarm | undefined): void;
  close(): Promise<void>;
}

const LISTED = { ttlMs: 0, cacheScope: "private" };
const TASK_FIELDS = { ttlMs: null, pollIntervalMs: 1, createdAt: "", lastUpdatedAt: "" };
const inputSchema = { type: "object", properties: { token: { type: "string" }, ms: { type: "number" } } };
const TOOLS = {
  remote: [
    { name: "post", description: "Posts.", inputSchema },
    { name: "letter", description: "Asks, then posts.", inputSchema },
    { name: "reserve", description: "Asks, then puts.", inputSchema, annotations: { idempotentHint: true } },
  ],
  works: [
    { name: "print", description: "Prints.", inputSchema },
    { name: "poster", description: "Prints, and asks.", inputSchema },
  ],
  lies: LYING_TOOLS.map((name) => ({ name, description: "Prints, it says.", inputSchema })),
};
const SERVERS = Object.keys(TOOLS) as readonly ServerName[];
const requestedSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };

function questionOf(token: string): object {
  return {
    word: { method: "elicitation/create", params: { mode: "form", message: `Word of ${token}?`, requestedSchema } },
  };
}

function said(text: string): object {
  return { resultType: "complete", content: [{ type: "text", text }] };
}

async function bodyOf<T>(request: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}

class World {
  readonly tasks = new Map<string, ServerTask>();
  readonly complaints: string[] = [];
  readonly forms = { answered: 0, afterKill: 0, held: 0 };
  life = 0;
  alarm: EffectAlarm | undefined;
  #effects = 0;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async call(server: ServerName, { name = "", arguments: args, ...answered }: Params): Promise<object> {
    const { token = "", ms = 0 } = args ?? {};
    const tool = `${server}__${name}`;
    await sleep(ms);
    if (server !== "remote") return this.#begin(tool, token, ms);
    if (name === "post") return this.#do(tool, token, ms);
    if (answered.requestState === undefined)
      return {
        resultType: "input_required",
        inputRequests: questionOf(token),
        requestState: JSON.stringify({ token, life: this.life }),
      };
    const state = JSON.parse(answered.requestState) as { readonly token: string; readonly life: number };
    if (state.token !== token) this.complaints.push(`${token} came back with the state of ${state.token}`);
    this.#answered(state.life);
    const { word } = answered.inputResponses ?? {};
    if (word?.action !== "accept") return said(`left ${token}`);
    if (typeof word.content?.word !== "string") this.complaints.push(`the answer of ${token} is not of its form`);
    return this.#do(tool, token, ms);
  }

  get(id: string): object | undefined {
    const task = this.tasks.get(id);
    if (task === undefined) return undefined;
    task.answers++;
    const state = { resultType: "complete", taskId: id, ...TASK_FIELDS };
    if (task.tool.startsWith("lies__")) {
      const lie = lieAbout(task);
      if (lie === undefined || task.tool === "lies__twice") task.isOver = true;
      return lie && { ...state, ...lie };
    }
    if (task.readyAt > Date.now()) return { ...state, status: "working" };
    if (task.asks && task.word === undefined)
      return { ...state, status: "input_required", inputRequests: questionOf(task.token) };
    task.isOver = true;
    const { resultType: _, ...result } = said(`printed ${task.token}`) as { readonly resultType: string };
    return { ...state, status: "completed", result };
  }

  update(id: string, { inputResponses }: Params): object | undefined {
    const task = this.tasks.get(id);
    if (task === undefined || inputResponses?.word === undefined) return undefined;
    // Answers that come again change nothing.
    if (task.word === undefined) this.forms.answered++;
    task.word ??= inputResponses.word.action ?? "";
    return { resultType: "complete" };
  }

  cancel(id: string): object | undefined {
    const task = this.tasks.get(id);
    if (task !== undefined) task.isOver = true;
    return task && { resultType: "complete" };
  }

  #answered(life: number): void {
    this.forms.answered++;
    if (life !== this.life) this.forms.afterKill++;
  }

  async #begin(tool: string, token: string, ms: number): Promise<object> {
    await this.count({ tool, token });
    const id = `work-${this.tasks.size}`;
    const readyAt = Date.now() + 20 * ms;
    const asks = tool === "works__poster";
    this.tasks.set(id, { id, tool, token, readyAt, asks, word: undefined, answers: 0, isOver: false });
    return { resultType: "task", taskId: id, ...TASK_FIELDS, status: "working" };
  }

  async #do(tool: string, token: string, ms: number): Promise<object> {
    await this.count({ tool, token });
    await sleep(ms);
    return said(`did ${token}`);
  }

  async count(effect: Effect): Promise<void> {
    const due = ++this.#effects === this.alarm?.nth ? this.alarm : undefined;
    if (due?.side === "before") await due.ring();
    appendFileSync(this.#file, `${JSON.stringify(effect)}\n`);
    if (due?.side === "after") await due.ring();
  }

  /** Answers about this task come back under an id that no request had. */
  isAstray({ taskId = "" }: Params = {}): boolean {
    return this.tasks.get(taskId)?.tool === "lies__astray";
  }

  restartCount(): void {
    this.#effects = 0;
  }
}

async function answerOf(world: World, server: ServerName, { method, params = {} }: Request): Promise<object> {
  const unknown = { error: { code: -32_602, message: "there is no such task" } };
  const resultOf = (result: object | undefined): object => (result === undefined ? unknown : { result });
  switch (method) {
    case "server/discover": {
      const extensions = server !== "remote" ? { extensions: { "io.modelcontextprotocol/tasks": {} } } : {};
      return {
        result: {
          ...{ resultType: "complete", ...LISTED, supportedVersions: ["2026-07-28"] },
          capabilities: { tools: {}, ...extensions },
        },
      };
    }
    case "tools/list":
      return { result: { resultType: "complete", ...LISTED, tools: TOOLS[server] } };
    case "tools/call":
      return { result: await world.call(server, params) };
    case "tasks/get":
      return resultOf(world.get(params.taskId ?? ""));
    case "tasks/update":
      return resultOf(world.update(params.taskId ?? "", params));
    case "tasks/cancel":
      return resultOf(world.cancel(params.taskId ?? ""));
    default:
      return { error: { code: -32_601, message: "unknown method" } };
  }
}

/** Starts them. `file`: where effects are counted. */
export async function startRemoteServers(file: string): Promise<RemoteServers> {
  const world = new World(file);
  const older = new OlderServer({
    count: (effect) => world.count(effect),
    answered: () => void world.forms.held++,
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (request.method !== "POST") return response.writeHead(405).end();
    if (request.url === "/answered") world.forms.held++;
    if (request.url === "/answered") return response.writeHead(204).end();
    const message = await bodyOf<Request | Effect>(request).catch(() => undefined);
    // The service was killed while it sent.
    if (message === undefined) return response.destroy();
    if ("token" in message) {
      await world.count(message);
      return response.writeHead(204).end();
    }
    if (request.url === "/older") return older.serve(message as OlderMessage, response);
    if (message.id === undefined) return response.writeHead(202).end();
    const server = SERVERS.find((name) => request.url === `/${name}`) ?? "remote";
    const answer = await answerOf(world, server, message);
    const id = message.method === "tasks/get" && world.isAstray(message.params) ? "another" : message.id;
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tasks: world.tasks,
    complaints: world.complaints,
    forms: world.forms,
    beginLife: () => void world.life++,
    alarm(alarm) {
      world.alarm = alarm;
      world.restartCount();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
