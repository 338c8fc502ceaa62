/**
 * What differs between the versions of the protocol, as the endpoint sees it: a table of method names, each with its
 * operation and the reader of its params, and a writer of results. 0.3 is `v0-3-dialect.ts`; another version is another
 * such file and one line in `negotiate-version.ts`.
 */
import type { SendMessageRequest } from "../message/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import type { CancelTaskRequest, GetTaskRequest, SubscribeToTaskRequest, Task } from "../task/index.ts";
import type { ProtocolVersion } from "./executor.ts";

/** A method: what it does, and how its params are read. Readers throw `A2AError` and accept any value. */
export type DialectMethod =
  | { readonly operation: "send"; readonly read: (params: unknown) => SendMessageRequest }
  | { readonly operation: "stream"; readonly read: (params: unknown) => SendMessageRequest }
  | { readonly operation: "get"; readonly read: (params: unknown) => GetTaskRequest }
  | { readonly operation: "cancel"; readonly read: (params: unknown) => CancelTaskRequest }
  | { readonly operation: "subscribe"; readonly read: (params: unknown) => SubscribeToTaskRequest }
  | { readonly operation: "card" }
  | { readonly operation: "push" };

/** One version of the protocol. Results are JSON text on one line. */
export interface Dialect {
  readonly version: ProtocolVersion;
  readonly methods: ReadonlyMap<string, DialectMethod>;
  /** A task as the result of a method. `historyLength` as in the request. */
  task(task: Task, historyLength?: number): string;
  /** A frame as the result inside a stream's event. */
  frame(frame: StreamResponse): string;
}
