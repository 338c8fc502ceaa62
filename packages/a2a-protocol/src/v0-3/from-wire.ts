/**
 * From the 0.3 wire to the 1.0-shaped model, for the client. Lenient where agents differ (a part without `kind`, a
 * message without id), strict about what later code relies on. Throws `A2AError` INVALID_AGENT_RESPONSE.
 */
import { A2AError } from "../error/index.ts";
import type { Message, Metadata, Part } from "../message/index.ts";
import type { PushNotificationConfig } from "../push/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import type { Artifact, Task, TaskStatus } from "../task/index.ts";
import { stateFromWire } from "./state.ts";

type Json = { readonly [key: string]: unknown };

/** A result or stream frame, by its `kind`. `final` is 0.3's mark of the last frame. */
export function frameFromWire(value: unknown): { readonly frame: StreamResponse; readonly final: boolean } {
  const json = object(value, "result");
  switch (json.kind) {
    case "task":
      return { frame: { task: taskFromWire(json) }, final: false };
    case "message":
      return { frame: { message: messageFromWire(json, "message") }, final: true };
    case "status-update":
      return {
        frame: {
          statusUpdate: {
            taskId: text(json, "taskId"),
            contextId: optionalText(json.contextId) ?? "",
            status: statusFromWire(json.status),
            ...metadataOf(json),
          },
        },
        final: json.final === true,
      };
    case "artifact-update":
      return {
        frame: {
          artifactUpdate: {
            taskId: text(json, "taskId"),
            contextId: optionalText(json.contextId) ?? "",
            artifact: artifactFromWire(json.artifact),
            ...(json.append === true && { append: true }),
            ...(json.lastChunk === true && { lastChunk: true }),
            ...metadataOf(json),
          },
        },
        final: false,
      };
    default:
      throw bad("kind");
  }
}

/** A task. Extra fields are dropped; `data` needs no translation back as `metadata` holds the same and more. */
export function taskFromWire(value: unknown): Task {
  const json = object(value, "task");
  const { artifacts, history } = json;
  return {
    id: text(json, "id"),
    contextId: optionalText(json.contextId) ?? "",
    status: statusFromWire(json.status),
    ...(Array.isArray(artifacts) && { artifacts: artifacts.map(artifactFromWire) }),
    ...(Array.isArray(history) && { history: history.map((item) => messageFromWire(item, "history")) }),
    ...metadataOf(json),
  };
}

/** A webhook and its task. */
export function pushConfigFromWire(value: unknown): PushNotificationConfig {
  const json = object(value, "config");
  const config = object(json.pushNotificationConfig, "pushNotificationConfig");
  const taskId = text(json, "taskId");
  const { schemes } = (config.authentication ?? {}) as { readonly schemes?: unknown };
  const scheme: unknown = Array.isArray(schemes) ? schemes[0] : undefined;
  return {
    id: optionalText(config.id) ?? taskId,
    taskId,
    url: text(config, "url"),
    ...(typeof scheme === "string" && { authentication: { scheme } }),
  };
}

function messageFromWire(value: unknown, field: string): Message {
  const json = object(value, field);
  const contextId = optionalText(json.contextId);
  const taskId = optionalText(json.taskId);
  return {
    messageId: optionalText(json.messageId) ?? "",
    role: json.role === "user" ? "ROLE_USER" : "ROLE_AGENT",
    parts: partsFromWire(json.parts, field),
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    ...metadataOf(json),
  };
}

function statusFromWire(value: unknown): TaskStatus {
  const json = object(value, "status");
  const timestamp = optionalText(json.timestamp);
  const message = json.message ?? undefined;
  return {
    state: stateFromWire(json.state),
    ...(message !== undefined && { message: messageFromWire(message, "status.message") }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

function artifactFromWire(value: unknown): Artifact {
  const json = object(value, "artifact");
  const name = optionalText(json.name);
  const description = optionalText(json.description);
  return {
    artifactId: text(json, "artifactId"),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: partsFromWire(json.parts, "artifact"),
    ...metadataOf(json),
  };
}

function partsFromWire(value: unknown, field: string): readonly Part[] {
  if (!Array.isArray(value)) throw bad(`${field}.parts`);
  return value.map((part) => partFromWire(object(part, `${field}.parts`), field));
}

function partFromWire(json: Json, field: string): Part {
  const extra = metadataOf(json);
  if (typeof json.text === "string") return { text: json.text, ...extra };
  if (json.file !== undefined) {
    const file = object(json.file, `${field}.file`);
    const filename = optionalText(file.name);
    const mediaType = optionalText(file.mimeType);
    const named = {
      ...(filename !== undefined && { filename }),
      ...(mediaType !== undefined && { mediaType }),
      ...extra,
    };
    if (typeof file.bytes === "string") return { raw: file.bytes, ...named };
    if (typeof file.uri === "string") return { url: file.uri, ...named };
    throw bad(`${field}.file`);
  }
  if (json.data === undefined) throw bad(`${field}.parts`);
  const mediaType = optionalText(json.mimeType) ?? optionalText(extra.metadata?.mimeType);
  return { data: json.data, ...(mediaType !== undefined && { mediaType }), ...extra };
}

function metadataOf(json: Json): { readonly metadata?: Metadata } {
  const { metadata } = json;
  return typeof metadata === "object" && metadata !== null ? { metadata: metadata as Metadata } : {};
}

function object(value: unknown, field: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad(field);
  return value as Json;
}

function text(json: Json, field: string): string {
  const value = json[field];
  if (typeof value !== "string" || value === "") throw bad(field);
  return value;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function bad(field: string): A2AError {
  return new A2AError("INVALID_AGENT_RESPONSE", `The agent's answer is not valid A2A 0.3 at "${field}"`);
}
