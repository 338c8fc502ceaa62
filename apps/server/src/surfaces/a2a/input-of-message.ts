/** Converts a protocol message to the engine's input (A12), and back for a task's history. */
import { contentTypeNotSupported, type Message, type Part } from "@agent-service/a2a-protocol";
import type { Submission } from "@agent-service/a2a-protocol/server";
import type { InputMessage, InputPart } from "@agent-service/agent-core/host";

function inputPart(part: Part): InputPart {
  if ("text" in part) return { kind: "text", text: part.text };
  if ("data" in part) {
    return { kind: "data", data: part.data, ...(part.mediaType === undefined ? {} : { mediaType: part.mediaType }) };
  }
  if ("raw" in part) {
    const mediaType = part.mediaType ?? "application/octet-stream";
    return {
      kind: "file",
      mediaType,
      bytes: part.raw,
      ...(part.filename === undefined ? {} : { name: part.filename }),
    };
  }
  throw contentTypeNotSupported("files by address are not supported; send the bytes");
}

/**
 * The input of a message. What was sent with it (`params.metadata`) may say like its own metadata that it holds content from outside.
 * @throws A2AError -32005 for content the agent does not accept
 */
export function inputOfMessage({ message, metadata }: Pick<Submission, "message" | "metadata">): InputMessage {
  const from = metadata?.from_outside === true ? { from_outside: true } : undefined;
  const own = from === undefined ? message.metadata : { ...message.metadata, ...from };
  return {
    messageId: message.messageId,
    parts: message.parts.map(inputPart),
    ...(own === undefined ? {} : { metadata: own }),
  };
}

function partOfInput(part: InputPart): Part {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "data":
      return { data: part.data, ...(part.mediaType === undefined ? {} : { mediaType: part.mediaType }) };
    case "file":
      return {
        raw: part.bytes,
        mediaType: part.mediaType,
        ...(part.name === undefined ? {} : { filename: part.name }),
      };
  }
}

/** A message of a task's history. */
export function messageOfInput(input: InputMessage, task: { id: string; context: string }): Message {
  return {
    messageId: input.messageId,
    role: "ROLE_USER",
    parts: input.parts.map(partOfInput),
    taskId: task.id,
    contextId: task.context,
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
  };
}
