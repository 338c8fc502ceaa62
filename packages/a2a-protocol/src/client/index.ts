export type {
  AgentEvent,
  ArtifactReady,
  InputRequired,
  MessageSeen,
  StatusChange,
  TaskSeen,
  TextDelta,
  TextReset,
  ToolProgress,
} from "./agent-event.ts";
export type { ReadCard } from "./choose-endpoint.ts";
export type { ClientErrorCode } from "./client-error.ts";
export { ClientError } from "./client-error.ts";
export type { ConnectOptions } from "./connect.ts";
export { connect } from "./connect.ts";
export type { MessageInput, MessageOptions } from "./message-input.ts";
export type { RemoteAgent, Reply } from "./remote-agent.ts";
export type { RemotePushConfigs } from "./remote-push-configs.ts";
