/**
 * What differs between the versions of the protocol, as the endpoints see it: the names of the methods, the readers of
 * their params, and the writers of results and errors. A version is one file like `v0-3-dialect.ts`, and one line in
 * `endpoint-parts.ts`.
 */
import type { AgentCard } from "../../agent-card/index.ts";
import type { A2AError } from "../../error/index.ts";
import type { SendMessageRequest } from "../../message/index.ts";
import type {
  ListPushConfigsRequest,
  ListPushConfigsResponse,
  PushConfigRequest,
  PushNotificationConfig,
  SetPushConfigRequest,
} from "../../push/index.ts";
import type { StreamResponse } from "../../stream/index.ts";
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SubscribeToTaskRequest,
  Task,
} from "../../task/index.ts";
import type { ProtocolVersion } from "../executor.ts";

/** What a method does, whatever it is called. */
export type Operation = "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | "card" | PushOperation;

/** True for what is answered with a stream of events. */
export function isStreaming(operation: Operation | undefined): boolean {
  return operation === "stream" || operation === "subscribe";
}

/** What can be done with webhooks. */
export type PushOperation = "push-set" | "push-get" | "push-list" | "push-delete";

/** Readers of params. They throw `A2AError` and accept any value. */
export interface ParamReaders {
  send(params: unknown): SendMessageRequest;
  get(params: unknown): GetTaskRequest;
  cancel(params: unknown): CancelTaskRequest;
  subscribe(params: unknown): SubscribeToTaskRequest;
  list(params: unknown): ListTasksRequest;
  pushSet(params: unknown): SetPushConfigRequest;
  /** Of reading a config, and of removing it. */
  pushConfig(params: unknown): PushConfigRequest;
  pushList(params: unknown): ListPushConfigsRequest;
}

/** One version of the protocol. Results are JSON text on one line. */
export interface Dialect {
  readonly version: ProtocolVersion;
  /** JSON-RPC method names. */
  readonly methods: ReadonlyMap<string, Operation>;
  /**
   * true: over JSON-RPC an error of a streaming method is the one event of a stream. Clients of 0.3 look for errors in
   * events and read none from a JSON body (A4).
   */
  readonly streamsErrors: boolean;
  readonly read: ParamReaders;
  /** The header that names activated extensions in an answer. */
  readonly extensionsHeader: string;
  /** A task as the result of reading or cancelling it. `historyLength` as in the request. */
  task(task: Task, historyLength?: number): string;
  /** A task as the result of a send, and as the first frame of a stream. */
  sent(task: Task, historyLength?: number): string;
  /** A frame as the result inside a stream's event. */
  frame(frame: StreamResponse): string;
  /** A page of tasks, cut as requested. */
  tasks(page: ListTasksResponse): string;
  /** A config, its secrets left out already. */
  pushConfig(config: PushNotificationConfig): string;
  pushConfigs(page: ListPushConfigsResponse<PushNotificationConfig>): string;
  /** The result of removing a config. */
  readonly removed: string;
  /** The card as the result of asking for the extended one. */
  card(card: AgentCard): string;
  /** The `data` of an error, or its HTTP+JSON details; undefined: none. */
  errorData(error: A2AError): unknown;
}
