import { A2AError } from "../error/index.ts";
import type { Message } from "../message/index.ts";
import type { ListTasksRequest, ListTasksResponse, Task } from "../task/index.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { Endpoint, ReadCard } from "./choose-endpoint.ts";
import { textOf } from "./fold-frames.ts";
import { type MessageInput, type MessageOptions, requestFor } from "./message-input.ts";
import { type RemotePushConfigs, remotePushConfigs } from "./remote-push-configs.ts";
import { beforeRetry } from "./retry.ts";
import { type Link, streamEvents } from "./stream-events.ts";

/** The result of a send: a task in most cases, a bare message from some agents. */
export interface Reply {
  readonly task?: Task;
  readonly message?: Message;
  /** The text of the outputs, of the question of a parked task, or of the message. */
  readonly text: string;
}

/**
 * An agent somewhere else. Every method rejects with `A2AError` for what the agent answered, `ClientError` for the way
 * there, and the signal's reason when it aborts.
 */
export interface RemoteAgent {
  readonly card: ReadCard;
  /** Where it is talked to, and in which version. */
  readonly endpoint: { readonly url: string; readonly version: string };
  /** Sends a message and waits until its task is terminal or parked, or only until it exists. */
  send(input: MessageInput, options?: MessageOptions & { readonly returnImmediately?: boolean }): Promise<Reply>;
  /**
   * Sends a message and yields the events of its task. A broken connection is resumed after the last event seen. Leaving
   * the loop closes the connection but does not cancel the task: `cancel` does.
   */
  stream(input: MessageInput, options?: MessageOptions): AsyncGenerator<AgentEvent, void>;
  /** Joins a task: as of `after` (the `seq` of an event) and on, or as of now and on. */
  resubscribe(
    taskId: string,
    options?: { readonly after?: number; readonly signal?: AbortSignal },
  ): AsyncGenerator<AgentEvent, void>;
  get(taskId: string, options?: { readonly historyLength?: number; readonly signal?: AbortSignal }): Promise<Task>;
  /** Cancels and returns the task; one that has ended is returned unchanged. */
  cancel(taskId: string, options?: { readonly signal?: AbortSignal }): Promise<Task>;
  /**
   * A page of the agent's tasks that this caller may see, newest status first. Rejects with `A2AError` -32601 where the
   * connection uses 0.3, which has no such method.
   */
  listTasks(request?: ListTasksRequest, options?: { readonly signal?: AbortSignal }): Promise<ListTasksResponse>;
  /** The webhooks of tasks. Rejects with `A2AError` -32003 where the agent sends none. */
  readonly pushConfigs: RemotePushConfigs;
}

export function createRemoteAgent(card: ReadCard, { url, dialect }: Endpoint, link: Link): RemoteAgent {
  const { transport } = link;
  const { methods } = dialect;

  function keyFor({ idempotencyKey }: MessageOptions): string | undefined {
    return idempotencyKey ?? (link.repeatable ? crypto.randomUUID() : undefined);
  }
  function taskIn(result: unknown): Task {
    const frame = dialect.frame(result);
    if ("task" in frame) return frame.task;
    throw new A2AError("INVALID_AGENT_RESPONSE", "The agent's answer is not a task");
  }

  const agent: RemoteAgent = {
    card,
    endpoint: { url, version: dialect.version },
    async send(input, options = {}) {
      const { signal } = options;
      const key = keyFor(options);
      const params = dialect.sendParams(requestFor(input, options, options.returnImmediately));
      const headers = key === undefined ? undefined : { "idempotency-key": key };
      for (let attempt = 1; ; attempt++) {
        try {
          return replyFrom(dialect.frame(await transport.call(methods.send, params, { headers, signal })));
        } catch (error) {
          if (!link.repeatable) throw error;
          await beforeRetry(error, attempt, link, signal);
        }
      }
    },
    stream(input, options = {}) {
      const start = { request: requestFor(input, options), idempotencyKey: keyFor(options) };
      return streamEvents(link, start, options.signal);
    },
    resubscribe(taskId, { after, signal } = {}) {
      return streamEvents(link, { taskId, after }, signal);
    },
    async get(taskId, { historyLength, signal } = {}) {
      const params = { id: taskId, ...(historyLength !== undefined && { historyLength }) };
      return taskIn(await transport.call(methods.get, params, { signal }));
    },
    async cancel(taskId, { signal } = {}) {
      return taskIn(await transport.call(methods.cancel, { id: taskId }, { signal }));
    },
    async listTasks(request = {}, { signal } = {}) {
      const { listTasks } = dialect;
      if (listTasks === undefined) {
        throw new A2AError("METHOD_NOT_FOUND", `A2A ${dialect.version} lists no tasks over JSON-RPC`);
      }
      return listTasks.page(await transport.call(listTasks.method, request, { signal }));
    },
    pushConfigs: remotePushConfigs(dialect, transport),
  };
  return agent;
}

function replyFrom(frame: ReturnType<Endpoint["dialect"]["frame"]>): Reply {
  if ("message" in frame) return { message: frame.message, text: textOf(frame.message.parts) };
  if (!("task" in frame))
    throw new A2AError("INVALID_AGENT_RESPONSE", "The agent's answer is neither task nor message");
  const { task } = frame;
  const outputs = (task.artifacts ?? []).map((artifact) => textOf(artifact.parts)).filter((text) => text !== "");
  return { task, text: outputs.length > 0 ? outputs.join("\n") : textOf(task.status.message?.parts ?? []) };
}
