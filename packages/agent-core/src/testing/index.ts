/**
 * For tests of whatever is built on the engine: a model whose answers are written down, a clock that stands still, a
 * gateway, an endpoint for embeddings, a database server and an MCP server that wants a sign-in on a port of this machine.
 */

export { type AuthorizationDouble, authorizationDouble } from "./authorization-double.ts";
export { type EmbeddingDouble, type EmbeddingFault, embeddingDouble, embeddingOf } from "./embedding-double.ts";
export { chunkEvent, endEvents, errorReply, textReply, toolReply } from "./gateway-replies.ts";
export type { HranaDouble, HranaFate, HranaRequest } from "./hrana-double.ts";
export { startHranaDouble } from "./hrana-double.ts";
export type { GatewayReply, GatewayRequest, GatewayScript, GatewayStep, LocalGateway } from "./local-gateway.ts";
export { localGateway } from "./local-gateway.ts";
export type { ManualClock } from "./manual-clock.ts";
export { manualClock } from "./manual-clock.ts";
export { pdfOf } from "./pdf-of.ts";
export type { RecordedCall, ScriptedAction, ScriptedModel, ScriptedTurn } from "./scripted-model.ts";
export { scriptedModel } from "./scripted-model.ts";
export { messagesAnswer, responsesAnswer, type WireAnswer } from "./subscription-replies.ts";
