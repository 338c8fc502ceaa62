export { isJsonContentType } from "../json-rpc/index.ts";
export type { Timers } from "../stream/index.ts";
export type { WebhookRequest } from "../webhook/index.ts";
export { EVENT_ID_HEADER, NOTIFICATION_TOKEN_HEADER, webhookRequests } from "../webhook/index.ts";
export type { A2AHandler, A2AHandlerOptions, RequestContext } from "./a2a-handler.ts";
export { createA2AHandler } from "./a2a-handler.ts";
export type { EventStreamOptions } from "./body/event-stream.ts";
export { eventStream } from "./body/event-stream.ts";
export type { WaitingBodyOptions } from "./body/waiting-body.ts";
export { waitingBody } from "./body/waiting-body.ts";
export type { A2AEndpoints } from "./create-a2a-endpoints.ts";
export { createA2AEndpoints } from "./create-a2a-endpoints.ts";
export type { EndpointOptions } from "./exchange/endpoint-parts.ts";
export type { OnError } from "./exchange/failure-reply.ts";
export type {
  AgentExecutor,
  CallContext,
  Caller,
  DirectReply,
  FollowOptions,
  NumberedFrame,
  ProtocolVersion,
  Submission,
  TaskQuery,
  TaskReading,
  TaskSnapshot,
} from "./executor.ts";
export type { AgentFunction, AgentMessage, AgentStep, AgentTurn } from "./in-memory/agent-function.ts";
export type { InMemoryExecutorOptions } from "./in-memory/in-memory-executor.ts";
export { inMemoryExecutor } from "./in-memory/in-memory-executor.ts";
export { HITL_MEDIA_TYPE } from "./in-memory/in-memory-run.ts";
export type { JsonRpcEndpoint } from "./json-rpc/json-rpc-endpoint.ts";
export { createJsonRpcEndpoint } from "./json-rpc/json-rpc-endpoint.ts";
export type { PageCursor } from "./page-token.ts";
export { cursorOfToken, pageToken } from "./page-token.ts";
export type { PushConfigPage, PushConfigPageQuery, PushConfigs } from "./push-configs.ts";
export type { RestEndpoint, RestMount } from "./rest/rest-endpoint.ts";
