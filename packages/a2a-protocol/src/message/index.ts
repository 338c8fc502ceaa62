export type { DataPart, Message, Metadata, Part, RawPart, Role, TextPart, UrlPart } from "./message.ts";
