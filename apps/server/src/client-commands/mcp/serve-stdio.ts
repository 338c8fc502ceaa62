/** `agent-service mcp serve`: a program of the MCP stdio transport in front of a running service's `/mcp` (M17). */
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { refuseArguments } from "../flag-values.ts";

type Message = { readonly [name: string]: unknown };

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;
/** Requests that are waited for at once: the service refuses more. */
const MOST_REQUESTS = 256;

/** Hands each line to the service and writes its messages: until standard input ends, and what was asked is answered. */
export async function serveStdio(context: CommandContext): Promise<ExitCode> {
  const { io, json, positionals } = context;
  refuseArguments("mcp serve", positionals.slice(1));
  if (json) throw usage("mcp serve takes no --json: its standard output is the protocol's");
  if (io.lines === undefined) throw usage("mcp serve is started by an MCP client, which speaks to it over its pipes");
  const bridge = new StdioBridge(context);
  const left = io.onInterrupt(() => bridge.close());
  try {
    for await (const line of io.lines()) if (line.trim() !== "") await bridge.take(line);
    await bridge.finish();
  } finally {
    left();
  }
  return EXIT.ok;
}

class StdioBridge {
  readonly #context: CommandContext;
  /** Requests under way, by their ids. */
  readonly #open = new Map<
    unknown,
    { readonly stop: AbortController; readonly done: Promise<void>; isEndless: boolean }
  >();
  /** Of the older era: what `initialize` agreed upon. */
  #version: string | undefined;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** Resolves when the message may be followed by the next. */
  async take(line: string): Promise<void> {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#fail(null, PARSE_ERROR, "Parse error");
      return;
    }
    if (!isMessage(message)) {
      this.#fail(null, -32_600, "Expected one message of JSON-RPC in a line");
      return;
    }
    const { id, method, params } = message;
    if (method === "notifications/cancelled" && isMessage(params)) {
      // Without sessions a request is canceled by closing its connection.
      this.#open.get(params.requestId)?.stop.abort();
      return;
    }
    const stop = new AbortController();
    const done = this.#post(message, line, stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted || id === undefined) return;
      this.#fail(
        id,
        INTERNAL_ERROR,
        `The service at ${this.#context.service.url} cannot be reached: ${reasonOf(error)}`,
      );
    });
    // The next messages name what was agreed upon.
    if (id === undefined || method === "initialize") return done;
    this.#open.set(id, { stop, done, isEndless: method === "subscriptions/listen" });
    const forgotten = done.finally(() => this.#open.delete(id));
    if (this.#open.size > MOST_REQUESTS) await forgotten;
  }

  /** Waits for what was asked; subscriptions end. */
  async finish(): Promise<void> {
    for (const { stop, isEndless } of this.#open.values()) if (isEndless) stop.abort();
    await Promise.all([...this.#open.values()].map(({ done }) => done));
  }

  close(): void {
    for (const { stop } of this.#open.values()) stop.abort();
  }

  async #post(message: Message, line: string, signal: AbortSignal): Promise<void> {
    const { service } = this.#context;
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      body: line,
      signal,
      // No redirect is followed: the credential is for this service.
      redirect: "error",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(service.token !== undefined && { authorization: `Bearer ${service.token}` }),
        ...(service.apiKey !== undefined && { "x-api-key": service.apiKey }),
        ...this.#headersOf(message),
      },
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
      for await (const data of dataOf(response)) this.#write(message, data);
      return;
    }
    const text = await response.text();
    const answer = messageOf(text);
    if (answer !== undefined) this.#write(message, text);
    else if (message.id !== undefined) this.#fail(message.id, INTERNAL_ERROR, refusalOf(response.status));
  }

  /** What the HTTP transport repeats of a message in its headers. */
  #headersOf({ method, params }: Message): Record<string, string> {
    const meta = isMessage(params) && isMessage(params._meta) ? params._meta : {};
    const version = meta[VERSION_KEY];
    if (typeof version !== "string")
      return this.#version === undefined || method === "initialize" ? {} : { "mcp-protocol-version": this.#version };
    const name = isMessage(params) ? (params.name ?? params.uri ?? params.taskId) : undefined;
    return {
      "mcp-protocol-version": headerValue(version),
      ...(typeof method === "string" && { "mcp-method": headerValue(method) }),
      ...(typeof name === "string" && { "mcp-name": headerValue(name) }),
    };
  }

  #write({ method }: Message, text: string): void {
    const answer = messageOf(text);
    if (answer === undefined) return;
    if (method === "initialize" && isMessage(answer.result) && typeof answer.result.protocolVersion === "string")
      this.#version = answer.result.protocolVersion;
    this.#context.io.stdout.write(`${JSON.stringify(answer)}\n`);
  }

  #fail(id: unknown, code: number, message: string): void {
    this.#context.io.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message of JSON-RPC; undefined: it is none. */
function messageOf(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) && value.jsonrpc === "2.0" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As the transport writes what a header cannot hold. */
function headerValue(text: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function refusalOf(status: number): string {
  switch (status) {
    case 404:
      return "The service does not serve MCP clients: agent-service config set mcp.expose.enabled=true";
    case 401:
    case 403:
      return "The service refuses the credential of this machine's configuration: set A2A_AUTH_TOKEN";
    default:
      return `The service answered ${status}`;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : message;
}

/** The data of each server-sent event. */
async function* dataOf({ body }: Response): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.search(/\r?\n\r?\n/); end !== -1; end = text.search(/\r?\n\r?\n/)) {
      const lines = text.slice(0, end).split(/\r?\n/);
      text = text.slice(end).replace(/^\r?\n\r?\n/, "");
      const data = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
      if (data.length > 0) yield data.join("\n");
    }
  }
}
