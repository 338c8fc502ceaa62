/** `POST /v1/chat/completions` (V1). */
import { runtimeTimers } from "@agent-service/a2a-protocol";
import { isJsonContentType } from "@agent-service/a2a-protocol/server";
import {
  type CallerClass,
  formatTraceparent,
  JSON_LIMITS,
  OPERATOR_CLASS,
  parseJson,
  parseTraceparent,
  type TaskService,
} from "@agent-service/agent-core/host";
import { maxBodyBytes, newErrorId, type Route, type RouteCall } from "../../access/index.ts";
import { acceptChat } from "./accept-chat.ts";
import { ApiError, badRequest, withErrorObject } from "./api-error.ts";
import type { ChatReader } from "./chat-outcome.ts";
import { completionReply, type ReplyParts, streamReply } from "./chat-reply.ts";
import { readChatRequest } from "./chat-request.ts";
import { CompletionWriter } from "./completion-writer.ts";
import { acceptanceError } from "./failure-error.ts";

export interface ChatRouteOptions {
  readonly tasks: TaskService;
  /** Names of the agent; the first one is its id as a model. */
  readonly agentNames: () => readonly [string, ...string[]];
  /** Checks a model value; raises `ModelConfigError` for an unknown one. */
  readonly checkModel: (value: string) => void;
  /** Whether a caller of this class may name this model. */
  readonly mayUseModel: (value: string, caller: CallerClass) => boolean;
  /** Milliseconds of silence before a keep-alive; default 15,000 (A10). */
  readonly keepAliveMs?: number | undefined;
  /** Logs unexpected errors. */
  readonly onError: (error: unknown, errorId: string) => void;
}

async function readBody(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    throw new ApiError(415, "The body must be application/json.", { code: "unsupported_media_type" });
  }
  const parsed = parseJson(await request.text(), { ...JSON_LIMITS, maxLength: maxBodyBytes });
  if (!parsed.ok) throw badRequest(`The body cannot be read: ${parsed.message}.`, undefined, "invalid_json");
  return parsed.value;
}

/** A context's id as a header; one that a header cannot hold was chosen by the caller, who knows it. */
function sessionHeader(context: string): Record<string, string> {
  return /^[\x21-\x7e]+$/.test(context) ? { "x-session-id": context } : {};
}

/** The header that names ignored fields (V1). */
function ignoredHeader(ignored: readonly string[]): Record<string, string> {
  return ignored.length === 0 ? {} : { "x-agent-ignored": ignored.join(", ") };
}

export function chatRoute(options: ChatRouteOptions): Route {
  const { tasks, agentNames, checkModel, mayUseModel, keepAliveMs = 15_000, onError } = options;
  const describe = (error: unknown): ApiError => {
    const errorId = newErrorId();
    onError(error, errorId);
    const message = `Internal error; the server's log has the cause under ${errorId}.`;
    return new ApiError(500, message, { code: "internal_error", headers: { "x-should-retry": "false" } });
  };
  const parts: ReplyParts = { timers: runtimeTimers, keepAliveMs, describe };

  /** The requested model, where it is not the agent itself. @throws ApiError 400 */
  function overriding(model: string | undefined, caller: CallerClass): string | undefined {
    if (model === undefined || agentNames().includes(model)) return undefined;
    if (!mayUseModel(model, caller)) {
      throw badRequest(
        `The model ${JSON.stringify(model)} is not open to peers of this agent.`,
        "model",
        "model_not_allowed",
      );
    }
    try {
      checkModel(model);
    } catch (error) {
      throw acceptanceError(error);
    }
    return model;
  }

  async function complete(request: Request, call: RouteCall): Promise<Response> {
    const asked = readChatRequest(await readBody(request), request.headers);
    const callerClass = call.caller.class;
    const model = overriding(asked.model, callerClass);
    if (asked.stream) {
      // Before anything is accepted: a refused stream leaves no task behind (S7).
      const refusal = call.openStream();
      if (refusal !== undefined) return withErrorObject(new URL(request.url).pathname, refusal, false);
    }
    const parent = parseTraceparent(request.headers.get("traceparent"));
    const trace = parent && formatTraceparent(parent);
    const refuseApproval = () => call.refuseDecision();
    const caller = { class: callerClass, trace, refuseApproval, ...(model !== undefined && { model }) };
    const chat = await acceptChat(tasks, asked, caller);
    const reader: ChatReader = { mayApprove: callerClass === OPERATOR_CLASS };
    const { view } = chat.task;
    const writer = new CompletionWriter(view, asked.model ?? agentNames()[0], asked.includeUsage);
    const headers = { ...sessionHeader(view.context), ...ignoredHeader(asked.ignored) };
    const reply = { chat, writer, reader, headers };
    if (!asked.stream) return completionReply(parts, reply);
    return streamReply(parts, reply, { includeUsage: asked.includeUsage, disconnected: request.signal });
  }

  return {
    method: "POST",
    path: "/v1/chat/completions",
    tier: "agent",
    summary: "Chat completions in the form of the OpenAI API, answered by the agent",
    handler: async (request, call) => {
      try {
        return await complete(request, call);
      } catch (error) {
        return (error instanceof ApiError ? error : describe(error)).response();
      }
    },
  };
}
