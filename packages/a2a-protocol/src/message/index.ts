export type { DataPart, Message, Metadata, Part, RawPart, Role, TextPart, UrlPart } from "./message.ts";
export type { ProtocolVersion } from "./protocol-version.ts";
export type { SendMessageConfiguration, SendMessageRequest } from "./send-message-request.ts";
