/** Calls of the tools that read resources of a server (M12). They change nothing, so what was lost is asked again. */
import { type ToolContext, toolResult } from "@agent-service/plugin-sdk";
import type { JsonObject } from "../../json/index.ts";
import { ConnectionError, type ManagedServer, readOf } from "../connection/index.ts";
import { LIST_RESOURCES, type PinnedDefinition } from "../definition/index.ts";
import { McpError } from "../mcp-error.ts";
import { readCallResult } from "../result/index.ts";
import type { ToolCalls } from "../tool/index.ts";
import { readResourceList } from "./resource-list.ts";

/** Longest timer there is. */
const NO_LIMIT_MS = 2 ** 31 - 1;

export interface ResourceCallsOptions {
  readonly name: string;
  /** Undefined: it is switched off. */
  server(): ManagedServer | undefined;
  settings(): { readonly callTimeoutMs: number | null; readonly maxResultChars: number | null };
  pin(tool: string): PinnedDefinition | undefined;
  /** Takes secrets out of what the server says, before it is cut. */
  redact(text: string): string;
  /** The `traceparent` of a call. */
  traceparent?(taskId: string, callId: string): string | undefined;
}

export class ResourceCalls implements ToolCalls {
  readonly #options: ResourceCallsOptions;

  constructor(options: ResourceCallsOptions) {
    this.#options = options;
  }

  pin(tool: string): PinnedDefinition | undefined {
    return this.#options.pin(tool);
  }

  async run(tool: string, input: unknown, context: ToolContext): Promise<ReturnType<typeof toolResult>> {
    try {
      const { cursor, uri } = input as { readonly cursor?: string; readonly uri?: string };
      return tool === LIST_RESOURCES.name ? await this.#list(cursor, context) : await this.#read(uri ?? "", context);
    } catch (error) {
      if (context.signal.aborted || !(error instanceof ConnectionError)) throw error;
      const isAway = error.code === "not_sent" || error.code === "auth";
      const code = isAway ? "mcp.unavailable" : "mcp.tool_error";
      throw new McpError(code, `${this.#options.name}: ${error.message}`);
    }
  }

  async #list(cursor: string | undefined, context: ToolContext): Promise<ReturnType<typeof toolResult>> {
    const isFirst = cursor === undefined || cursor === "";
    const page = await this.#ask("resources/list", isFirst ? {} : { cursor }, context);
    // A server without templates may answer that it does not know the question.
    const templates = isFirst
      ? await this.#ask("resources/templates/list", {}, context).catch(() => undefined)
      : undefined;
    context.signal.throwIfAborted();
    const { settings, redact } = this.#options;
    return toolResult({ text: readResourceList(page, templates, { maxChars: settings().maxResultChars, redact }) });
  }

  async #read(uri: string, context: ToolContext): Promise<ReturnType<typeof toolResult>> {
    const { contents } = await this.#ask("resources/read", { uri }, context);
    const listed: readonly unknown[] = Array.isArray(contents) ? contents : [];
    const { settings, redact } = this.#options;
    const { text, images } = readCallResult(
      { content: listed.map((resource) => ({ type: "resource", resource })) },
      { maxChars: settings().maxResultChars, showsImages: true, redact },
    );
    return toolResult({ text, ...(images.length > 0 && { images }) });
  }

  #ask(
    method: "resources/list" | "resources/templates/list" | "resources/read",
    params: JsonObject,
    context: ToolContext,
  ): Promise<JsonObject> {
    const { server, settings, traceparent } = this.#options;
    const traced = traceparent?.(context.taskId, context.callId);
    return readOf(server, {
      ...{ method, signal: context.signal, timeoutMs: settings().callTimeoutMs ?? NO_LIMIT_MS },
      params: traced === undefined ? params : { ...params, _meta: { traceparent: traced } },
    });
  }
}
