/**
 * The events of one task across as many connections as it takes. Invariants:
 * 1. A numbered frame is yielded once: a repeated number is ignored, unless it ends the stream.
 * 2. A message goes out again only where the agent promises that a repetition is the same task (A15).
 * 3. Attempts without progress are bounded.
 */
import { A2AError } from "../error/index.ts";
import type { SendMessageRequest } from "../message/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import { isInterrupted, isTerminal, type Task } from "../task/index.ts";
import type { AgentEvent } from "./agent-event.ts";
import { ClientError } from "./client-error.ts";
import type { ClientDialect } from "./dialect.ts";
import { createFrameFolder, type FoldedEvent } from "./fold-frames.ts";
import type { JsonRpcTransport, StreamedResult } from "./json-rpc-transport.ts";
import { requestFor } from "./message-input.ts";
import { beforeRetry, type RetryPolicy } from "./retry.ts";

/** The way to one agent. */
export interface Link extends RetryPolicy {
  readonly transport: JsonRpcTransport;
  readonly dialect: ClientDialect;
  /** Whether the agent declares `idempotency-v1`. */
  readonly repeatable: boolean;
}

/** What a stream starts with: a message, or a task that exists. */
export type StreamStart =
  | { readonly request: SendMessageRequest; readonly idempotencyKey: string | undefined }
  | { readonly taskId: string; readonly after: number | undefined };

type Source = AsyncIterable<StreamedResult>;

/** Streams until the task is terminal, or parked and not answered. Errors as of `connect`. */
export async function* streamEvents(
  link: Link,
  start: StreamStart,
  signal: AbortSignal | undefined,
): AsyncGenerator<AgentEvent, void> {
  const folder = createFrameFolder();
  let seq = "taskId" in start ? start.after : undefined;
  let seeding = seq !== undefined;
  let taskId = "taskId" in start ? start.taskId : undefined;
  let source = "taskId" in start ? subscribe(link, start.taskId, seq, signal) : sendStream(link, start, signal);
  let attempts = 0;
  let openedAt = seq;

  function eventsIn({ result, seq: number }: StreamedResult): { events: FoldedEvent[]; over: boolean; task?: Task } {
    const frame = link.dialect.frame(result);
    const over = endsStream(frame);
    const shown = "task" in frame ? { task: frame.task } : {};
    const known = number !== undefined && seq !== undefined && number <= seq;
    if (seeding && "task" in frame) {
      seeding = false;
      taskId = frame.task.id;
      seq = number ?? seq;
      return { events: folder.seed(frame.task, number), over, ...shown };
    }
    // The last frame of a settled task repeats its number (A7), and marks the end.
    if (known && !over) return { events: [], over, ...shown };
    if (!("task" in frame)) attempts = 0;
    seq = number ?? seq;
    const events = folder.take(frame, number);
    taskId = folder.task()?.id ?? taskId;
    return { events, over, ...shown };
  }

  for (;;) {
    let over = false;
    let next: Source | undefined;
    let failure: unknown = new ClientError("network", "The stream broke off");
    const answerable = (event: FoldedEvent): AgentEvent => {
      if (event.kind !== "input-required") return event;
      const answer = async (reply: string | object) => {
        if (next !== undefined) throw new TypeError("The question is answered already");
        next = await openAnswer(link, event, reply, signal);
      };
      return { ...event, answer };
    };
    try {
      for await (const item of source) {
        const { events, over: last, task } = eventsIn(item);
        over = last;
        for (const event of events) yield answerable(event);
        if (over || (task !== undefined && (await isPaused(link, task, openedAt, signal)))) break;
      }
    } catch (error) {
      if (!(error instanceof ClientError)) {
        const task = taskId === undefined ? undefined : await restOf(link, taskId, error, signal);
        if (task === undefined) throw error;
        source = onlyOnce({ result: task });
        continue;
      }
      failure = error;
    }
    const task = folder.task();
    if (!over && task !== undefined && isSettled(task)) {
      // An agent that answers with the Task alone, closes without a last frame, or sends nothing until it is answered.
      over = true;
      for (const event of folder.whole(task)) yield answerable(event);
    }
    if (next !== undefined) {
      source = next;
      continue;
    }
    if (over) return;
    attempts++;
    if (taskId === undefined && !("request" in start && link.repeatable && start.idempotencyKey)) throw failure;
    await beforeRetry(failure, attempts, link, signal);
    openedAt = seq;
    if (taskId !== undefined) source = subscribe(link, taskId, seq, signal);
    else if ("request" in start) source = sendStream(link, start, signal);
  }
}

function sendStream(link: Link, start: Extract<StreamStart, { request: unknown }>, signal: AbortSignal | undefined) {
  const { dialect, transport } = link;
  const headers = start.idempotencyKey === undefined ? undefined : { "idempotency-key": start.idempotencyKey };
  return transport.stream(dialect.methods.stream, dialect.sendParams(start.request), { headers, signal });
}

function subscribe(link: Link, taskId: string, after: number | undefined, signal: AbortSignal | undefined): Source {
  const headers = after === undefined ? undefined : { "last-event-id": String(after) };
  return link.transport.stream(link.dialect.methods.subscribe, { id: taskId }, { headers, signal });
}

/** Sends a reply and waits until the agent has taken it: its first frame is there. */
async function openAnswer(
  link: Link,
  parked: Extract<FoldedEvent, { kind: "input-required" }>,
  reply: string | object,
  signal: AbortSignal | undefined,
): Promise<Source> {
  const { taskId, contextId, promptId } = parked;
  // Naming the prompt keeps a late reply from becoming a new task (A13).
  const plain = typeof reply === "string" ? [{ text: reply }] : [{ data: reply }];
  const parts = promptId === undefined ? plain : [{ data: { promptId, answer: reply } }];
  const start = {
    request: requestFor({ parts }, { taskId, ...(contextId !== "" && { contextId }) }),
    idempotencyKey: link.repeatable ? crypto.randomUUID() : undefined,
  };
  for (let attempt = 1; ; attempt++) {
    const source = sendStream(link, start, signal)[Symbol.asyncIterator]();
    try {
      const first = await source.next();
      if (!first.done) return rejoined(first.value, source);
      throw new ClientError("network", "The agent closed the connection without an answer");
    } catch (error) {
      if (start.idempotencyKey === undefined) throw error;
      await beforeRetry(error, attempt, link, signal);
    }
  }
}

async function* rejoined(first: StreamedResult, rest: AsyncGenerator<StreamedResult, void>) {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* onlyOnce(item: StreamedResult) {
  yield item;
}

/** The task as a whole, from an agent that does not resubscribe to tasks at rest; undefined where that is no help. */
async function restOf(link: Link, taskId: string, error: unknown, signal: AbortSignal | undefined) {
  const refused = error instanceof A2AError && (error.code === -32004 || error.code === -32601);
  if (!refused) return undefined;
  const result = await link.transport.call(link.dialect.methods.get, { id: taskId }, { signal });
  const frame = link.dialect.frame(result);
  return "task" in frame && isSettled(frame.task) ? result : undefined;
}

/**
 * Whether a stream that begins with `task` sends nothing more until the task is answered. With a cursor the task may
 * have continued since, and then the stream has its later frames.
 */
async function isPaused(
  { dialect, transport }: Link,
  { id, status }: Task,
  cursor: number | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!dialect.subscriptionsOutlastPauses || !isInterrupted(status.state)) return false;
  if (cursor === undefined) return true;
  const now = dialect.frame(await transport.call(dialect.methods.get, { id, historyLength: 0 }, { signal }));
  if (!("task" in now)) return false;
  return now.task.status.state === status.state && now.task.status.timestamp === status.timestamp;
}

function endsStream(frame: StreamResponse): boolean {
  if ("message" in frame) return true;
  if (!("statusUpdate" in frame)) return false;
  const { state } = frame.statusUpdate.status;
  return isTerminal(state) || isInterrupted(state);
}

function isSettled({ status }: Task): boolean {
  return isTerminal(status.state) || isInterrupted(status.state);
}
