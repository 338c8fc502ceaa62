export { type Answer, ask, type Question } from "./ask.ts";
export { type EventFollower, type FollowedEvent, followEvents } from "./event-follower.ts";
export type { Json } from "./json.ts";
export { readBody } from "./read-body.ts";
export { type StreamedEvent, type StreamReader, streamReader } from "./stream-reader.ts";
export { type TemporaryFolders, temporaryFolders } from "./temporary-folders.ts";
export { type WaitingTool, waitingTool } from "./waiting-tool.ts";
export { type ReceivedPost, type WebhookReceiver, webhookReceiver } from "./webhook-receiver.ts";
export { textOf, textParams, type Wire, type WireAnswer, type WireCall, wireTo } from "./wire.ts";
