import type { Client, Transport } from "@modelcontextprotocol/client";
import * as v from "valibot";
import type { JsonObject } from "../../json/index.ts";
import type { McpEra } from "../mcp-server-view.ts";
import type { ServerTarget } from "../server-target.ts";
import { answerRequests, capabilitiesOf } from "./answer-requests.ts";
import { ConnectionError, UnreadableAnswerError } from "./connection-error.ts";
import { connectionError, SESSION_OVER, silentFor } from "./connection-failure.ts";
import type { ConnectionRequest } from "./connection-request.ts";
import { loadSdk, type McpSdk } from "./load-sdk.ts";
import { taskOf } from "./task-answers.ts";
import { makeTransport, type StdioTransport } from "./transport.ts";

/** Pages of a list that are read; more are an error (M12). */
const MAX_PAGES = 64;
/** Characters of the pages of a list as JSON, where it has more than one. */
const MAX_LIST_CHARS = 16 * 1024 * 1024;
/** Longest timer there is; the limits are ours. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Whoever made the request reads the result. */
const ANYTHING = v.record(v.string(), v.unknown());

/** A call of a tool. */
export interface ToolRequest {
  /** The server's own. */
  readonly name: string;
  readonly args: JsonObject;
  readonly inputSchema: JsonObject;
  readonly signal: AbortSignal;
  /** Sent along in `_meta`. */
  readonly meta?: JsonObject;
  /** Of a call that is sent again with what a person answered. */
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  onProgress?(text: string | undefined): void;
}

/** Opens a connection: era, handshake. @throws ConnectionError */
export async function openConnection(request: ConnectionRequest): Promise<ServerConnection> {
  const sdk = await loadSdk();
  try {
    return await open(sdk, request, request.isKnownLegacy === true);
  } catch (error) {
    if (!isSpentByProbe(sdk, request, error)) throw connectionError(sdk, error, request);
  }
  // Some programs end at the first request that they do not know. The probe's program is spent then, and another one
  // is spoken to as in 2025.
  try {
    return await open(sdk, request, true);
  } catch (error) {
    throw connectionError(sdk, error, request);
  }
}

function isSpentByProbe(sdk: McpSdk, { target, isKnownLegacy }: ConnectionRequest, error: unknown): boolean {
  if (target.transport !== "stdio" || isKnownLegacy === true) return false;
  if (!sdk.SdkError.isInstance(error)) return false;
  // A silent one is as old: the SDK waits for its own transport only.
  return [sdk.SdkErrorCode.EraNegotiationFailed, sdk.SdkErrorCode.RequestTimeout].includes(error.code);
}

/** Programs may be downloaded first, as `npx` does, so a silent one is ended late. A service is there or not. */
function probeMs({ transport }: ServerTarget, timeoutMs: number): number {
  return transport === "stdio" ? timeoutMs * 0.75 : Math.min(timeoutMs, 5_000);
}

async function open(sdk: McpSdk, request: ConnectionRequest, isLegacy: boolean): Promise<ServerConnection> {
  const { server, target, source, timeoutMs, signal, version, authorization, onLog } = request;
  signal.throwIfAborted();
  let broken: ((reason: string) => void) | undefined;
  const events = { onLog, onBroken: (reason: string) => broken?.(reason) };
  const transport = makeTransport(sdk, source, { server, target, authorization, events });
  const client = new sdk.Client(
    { name: "agent-service", version },
    {
      capabilities: capabilitiesOf(request),
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs(target, timeoutMs) } },
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => request.onListChanged("tools") },
        prompts: { autoRefresh: false, debounceMs: 0, onChanged: () => request.onListChanged("prompts") },
      },
    },
  );
  answerRequests(client, request);
  // What goes wrong out of band is in the errors of requests, or closes the connection.
  client.onerror = () => {};
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const isSse = target.transport === "sse";
  const end = (): void => void transport.close().catch(() => {});
  late.addEventListener("abort", end, { once: true });
  try {
    const options = { timeout: timeoutMs, signal: late };
    await client.connect(transport, isLegacy || isSse ? { ...options, prior: { kind: "legacy" } } : options);
  } catch (error) {
    await client.close().catch(() => {});
    signal.throwIfAborted();
    if (late.aborted) throw new ConnectionError("timeout", silentFor(timeoutMs, target));
    throw error;
  } finally {
    late.removeEventListener("abort", end);
  }
  const connection = new ServerConnection(sdk, client, transport, request);
  broken = (reason) => connection.break(reason);
  return connection;
}

/** An open connection to a server, shared by all turns. */
export class ServerConnection {
  readonly #sdk: McpSdk;
  readonly #client: Client;
  readonly #request: ConnectionRequest;
  readonly era: McpEra;
  /** Of the program; undefined: it is none. */
  readonly pid: number | undefined;
  #closed = false;

  constructor(sdk: McpSdk, client: Client, transport: Transport, request: ConnectionRequest) {
    this.#sdk = sdk;
    this.#client = client;
    this.#request = request;
    this.era = client.getProtocolEra() === "modern" ? "2026" : "2025";
    this.pid = (transport as Partial<StdioTransport>).pid;
    client.onclose = () => this.#onClosed("the connection ended");
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  /** What the server shows of a list, unread. @throws ConnectionError */
  async list(kind: "tools" | "prompts", signal: AbortSignal): Promise<readonly unknown[]> {
    if (this.#client.getServerCapabilities()?.[kind] === undefined) return [];
    const items: unknown[] = [];
    let cursor: string | undefined;
    let chars = 0;
    try {
      for (let page = 0; page < MAX_PAGES; page++) {
        const params = cursor === undefined ? {} : { cursor };
        const options = { signal, timeout: NO_LIMIT_MS };
        // The SDK would refuse a list for one entry that is wrong: each is read by itself, where it is taken over.
        const read = await this.#client.request({ method: `${kind}/list`, params }, ANYTHING, options);
        const listed = read[kind];
        if (!Array.isArray(listed)) throw new ConnectionError("server", `what it lists as its ${kind} is no list`);
        items.push(...(listed as unknown[]));
        if (typeof read.nextCursor !== "string" || read.nextCursor === "") return items;
        cursor = read.nextCursor;
        chars += JSON.stringify(read).length;
        if (chars > MAX_LIST_CHARS) break;
      }
    } catch (error) {
      throw this.#errorOf(error, signal);
    }
    const bound = chars > MAX_LIST_CHARS ? `${MAX_LIST_CHARS / 1024 / 1024} MiB` : `${MAX_PAGES} pages`;
    throw new ConnectionError("server", `its list of ${kind} has more than ${bound}`);
  }

  /**
   * Calls a tool and resolves with the protocol's result, which may be an `input_required`, or a task: see `taskOf`.
   * @throws ConnectionError, and the signal's reason once that is aborted, which cancels the call on the server
   */
  async callTool(request: ToolRequest): Promise<JsonObject> {
    const { name, args, inputSchema, signal, meta, inputResponses, requestState, onProgress } = request;
    if (this.#closed) throw new ConnectionError("not_sent", "the connection ended before the call was sent");
    const params = {
      name,
      arguments: args,
      ...(meta !== undefined && { _meta: meta }),
      ...(inputResponses !== undefined && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
    const options = {
      signal,
      timeout: NO_LIMIT_MS,
      allowInputRequired: true,
      // Without an output schema none of the server's regular expressions runs here.
      toolDefinition: { name, inputSchema: inputSchema as { type: "object" } },
      ...(onProgress !== undefined && {
        onprogress: ({ progress, total, message }: { progress: number; total?: number; message?: string }) =>
          onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
      }),
    };
    let result: JsonObject;
    try {
      result = (await this.#client.callTool(params, options)) as unknown as JsonObject;
    } catch (error) {
      const known = this.#errorOf(error, signal);
      // It was answered, so the connection is not at fault; what the call did cannot be read in the answer (MC2).
      throw known instanceof UnreadableAnswerError ? new ConnectionError("lost", known.message) : known;
    }
    if (this.era === "2026" || taskOf(result) === undefined) return result;
    throw new ConnectionError("lost", "it answered with a task, which its revision of the protocol does not have");
  }

  /**
   * Makes a request of an extension and resolves with the result as it came.
   * @throws ConnectionError, `timeout` after `timeoutMs`, and the signal's reason
   */
  async request(
    method: string,
    params: JsonObject,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<JsonObject> {
    try {
      const result = (await this.#client.request({ method, params }, ANYTHING, {
        signal,
        timeout: timeoutMs,
      })) as JsonObject;
      return taskOf(result) ?? result;
    } catch (error) {
      throw this.#errorOf(error, signal);
    }
  }

  /** Ends it because the server broke a bound. */
  break(reason: string, isSessionOver = false): void {
    this.#onClosed(reason, isSessionOver);
    void this.#client.close().catch(() => {});
  }

  /** Ends it; calls under way are `lost`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#client.close().catch(() => {});
  }

  #onClosed(reason: string, isSessionOver = false): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#request.onClosed(reason, isSessionOver);
  }

  #errorOf(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    const known = connectionError(this.#sdk, error, this.#request, this.era);
    if (known.code === "lost" || known.code === "not_sent")
      this.#endUnusable(known.message, known.message === SESSION_OVER);
    return known;
  }

  /** A program that is gone ends its connection itself. Of a service the session may be over, or the host be away. */
  #endUnusable(reason: string, isSessionOver: boolean): void {
    if (this.#request.target.transport !== "stdio") this.break(reason, isSessionOver);
  }
}
