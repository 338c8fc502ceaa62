export { AnswerBuilder, checkArguments } from "./answer-builder.ts";
export { type EventInterpreter, EventStreamReader } from "./event-stream-reader.ts";
export { joinedPieces } from "./joined-pieces.ts";
export type { BodyReader, MakeBodyReader } from "./provider-call.ts";
export {
  ProviderEndpoint,
  type ProviderEndpointOptions,
  type ProviderRequest,
  parseProviderUrl,
  sendableHeaders,
} from "./provider-endpoint.ts";
export { type ErrorOrigin, inStreamError, snippet } from "./provider-error.ts";
export { readUsage } from "./read-usage.ts";
export { SseDataLines } from "./sse-data-lines.ts";
export { asObject, asText, type WireObject } from "./wire.ts";
export { type MessageWriter, writtenBefore } from "./written-messages.ts";
