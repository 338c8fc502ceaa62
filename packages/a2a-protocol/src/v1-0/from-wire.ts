/**
 * From the 1.0 wire to the model, for the client: the same shape, checked where later code relies on it. Throws
 * `A2AError` INVALID_AGENT_RESPONSE.
 */
import { A2AError } from "../error/index.ts";
import type { Message, Metadata, Part } from "../message/index.ts";
import type { ListPushConfigsResponse, PushNotificationConfig } from "../push/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import type { Artifact, ListTasksResponse, Task, TaskStatus } from "../task/index.ts";
import { stateNamed } from "./state.ts";

type Json = { readonly [key: string]: unknown };

/** A result of a send or a stream, by its one key; reading and cancelling return a bare task. */
export function frameFromWire(value: unknown): StreamResponse {
  const json = object(value, "result");
  if (json.task !== undefined) return { task: taskFromWire(json.task) };
  if (json.message !== undefined) return { message: messageFromWire(json.message, "message") };
  if (json.statusUpdate !== undefined) {
    const update = object(json.statusUpdate, "statusUpdate");
    return { statusUpdate: { ...placeOf(update), status: statusFromWire(update.status), ...metadataOf(update) } };
  }
  if (json.artifactUpdate === undefined) return { task: taskFromWire(json) };
  const update = object(json.artifactUpdate, "artifactUpdate");
  return {
    artifactUpdate: {
      ...placeOf(update),
      artifact: artifactFromWire(update.artifact),
      ...(update.append === true && { append: true }),
      ...(update.lastChunk === true && { lastChunk: true }),
      ...metadataOf(update),
    },
  };
}

/** A task. Unknown fields are dropped. */
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

export function pushConfigFromWire(value: unknown): PushNotificationConfig {
  const json = object(value, "config");
  const { scheme } = (json.authentication ?? {}) as { readonly scheme?: unknown };
  const taskId = text(json, "taskId");
  return {
    id: optionalText(json.id) || taskId,
    taskId,
    url: text(json, "url"),
    ...(typeof scheme === "string" && { authentication: { scheme } }),
  };
}

/** The webhooks of a task. An empty list may be left out. */
export function pushConfigsFromWire(value: unknown): ListPushConfigsResponse<PushNotificationConfig> {
  const { configs = [], nextPageToken } = object(value, "result");
  if (!Array.isArray(configs)) throw bad("configs");
  const next = optionalText(nextPageToken);
  return { configs: configs.map(pushConfigFromWire), ...(next && { nextPageToken: next }) };
}

export function tasksFromWire(value: unknown): ListTasksResponse {
  const { tasks = [], nextPageToken, pageSize, totalSize } = object(value, "result");
  if (!Array.isArray(tasks)) throw bad("tasks");
  return {
    tasks: tasks.map(taskFromWire),
    nextPageToken: optionalText(nextPageToken) ?? "",
    pageSize: typeof pageSize === "number" ? pageSize : tasks.length,
    totalSize: typeof totalSize === "number" ? totalSize : tasks.length,
  };
}

function placeOf(json: Json): { readonly taskId: string; readonly contextId: string } {
  return { taskId: text(json, "taskId"), contextId: optionalText(json.contextId) ?? "" };
}

function messageFromWire(value: unknown, field: string): Message {
  const json = object(value, field);
  const contextId = optionalText(json.contextId);
  const taskId = optionalText(json.taskId);
  return {
    messageId: optionalText(json.messageId) ?? "",
    role: json.role === "ROLE_USER" ? "ROLE_USER" : "ROLE_AGENT",
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
    state: stateNamed(json.state) ?? "TASK_STATE_UNSPECIFIED",
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

/** Protobuf's JSON leaves an empty list out. */
function partsFromWire(value: unknown, field: string): readonly Part[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw bad(`${field}.parts`);
  return value.map((part) => partFromWire(object(part, `${field}.parts`), field));
}

function partFromWire(json: Json, field: string): Part {
  const filename = optionalText(json.filename);
  const mediaType = optionalText(json.mediaType);
  const about = {
    ...(filename !== undefined && { filename }),
    ...(mediaType !== undefined && { mediaType }),
    ...metadataOf(json),
  };
  if (typeof json.text === "string") return { text: json.text, ...about };
  if (typeof json.raw === "string") return { raw: json.raw, ...about };
  if (typeof json.url === "string") return { url: json.url, ...about };
  if ("data" in json) return { data: json.data, ...about };
  throw bad(`${field}.parts`);
}

function metadataOf({ metadata }: Json): { readonly metadata?: Metadata } {
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
  return typeof value === "string" && value !== "" ? value : undefined;
}

function bad(field: string): A2AError {
  return new A2AError("INVALID_AGENT_RESPONSE", `The agent's answer is not valid A2A 1.0 at "${field}"`);
}
