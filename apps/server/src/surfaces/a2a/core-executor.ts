/** The protocol's executor port over the engine (A1): a mapping without state, except caches keyed by what they cache. */
import {
  A2AError,
  contentTypeNotSupported,
  invalidParams,
  recentlyMade,
  type Task,
  taskNotFound,
} from "@agent-service/a2a-protocol";
import type {
  AgentExecutor,
  CallContext,
  Caller,
  FollowOptions,
  NumberedFrame,
  Submission,
  TaskReading,
  TaskSnapshot,
} from "@agent-service/a2a-protocol/server";
import {
  type CommittedEvent,
  formatTraceparent,
  isTerminalState,
  OPERATOR_CLASS,
  openTurn,
  parseTraceparent,
  type RequestKey,
  requestKey,
  type StructuredSkill,
  type TaskHandle,
  type TaskOptions,
  type TaskService,
  type TaskView,
  type Webhooks,
} from "@agent-service/agent-core/host";
import { corePushConfigs } from "./core-push-configs.ts";
import { REASONING_EXTENSION } from "./extension-uris.ts";
import { type FrameViewer, frameOfEvent } from "./frame-of-event.ts";
import { createInlineWebhooks } from "./inline-webhooks.ts";
import { inputOfMessage } from "./input-of-message.ts";
import { protocolError } from "./protocol-error.ts";
import { SharedWhileUsed } from "./shared-while-used.ts";
import { taskOfView } from "./task-of-view.ts";

/** Bytes from which on the Task or frame of an event is not cached. */
const LARGE = 256 * 1024;

/** A skill of the card, with its result schema if it is structured (A17). */
export interface ServedSkill {
  readonly id: string;
  readonly structured?: StructuredSkill;
}

/** What the executor needs. */
export interface CoreExecutorOptions {
  readonly tasks: TaskService;
  /** Absent: there are none. */
  readonly webhooks: Webhooks | undefined;
  /** Called per request: the configuration may change. */
  readonly skills: () => readonly ServedSkill[];
  /** Whether a caller of this class may name this model. */
  readonly mayUseModel: (model: string, callerClass: Caller["class"]) => boolean;
}

/** The output modes of every answer. */
const PLAIN_MODES = ["text/plain", "text/markdown", "application/json"];

function mayApprove(caller: Caller): boolean {
  return caller.class === OPERATOR_CLASS;
}

/** Whether a caller may see a task: a class sees its own, the operator sees all (A16). */
function visible(handle: TaskHandle | undefined, caller: Caller): TaskHandle | undefined {
  if (handle === undefined || caller.class === OPERATOR_CLASS) return handle;
  return handle.view.class === caller.class ? handle : undefined;
}

function accepts(modes: readonly string[] | undefined, produced: readonly string[]): boolean {
  if (modes === undefined || modes.length === 0) return true;
  return modes.some(
    (mode) => mode === "*/*" || produced.includes(mode) || (mode === "text/*" && produced.includes("text/plain")),
  );
}

function modelOf({ metadata }: Submission, { caller }: CallContext, mayUse: CoreExecutorOptions["mayUseModel"]) {
  const { model } = metadata ?? {};
  if (model === undefined || model === "") return {};
  if (typeof model !== "string") throw invalidParams("metadata.model: must be a string");
  if (!mayUse(model, caller.class)) {
    throw invalidParams(`metadata.model: ${JSON.stringify(model.slice(0, 200))} is not open to peers of this agent`);
  }
  return { model };
}

function optionsOf(submission: Submission, skills: readonly ServedSkill[]): TaskOptions {
  const { skill: wanted } = submission.metadata ?? {};
  if (wanted !== undefined && typeof wanted !== "string") throw invalidParams("metadata.skill: must be a string");
  const skill = wanted === undefined ? undefined : skills.find((one) => one.id === wanted);
  if (wanted !== undefined && skill === undefined) {
    throw invalidParams(`metadata.skill: there is no skill ${JSON.stringify(wanted)}`);
  }
  const produced = skill?.structured === undefined ? PLAIN_MODES : [skill.structured.resultMime, "application/json"];
  if (!accepts(submission.acceptedOutputModes, produced)) {
    throw contentTypeNotSupported(`the answer comes as ${produced[0]}, which acceptedOutputModes does not list`);
  }
  return skill?.structured === undefined ? {} : { skill: skill.structured };
}

/** The caller's trace context, of its header or of `metadata["a2a.trace"]`. Invalid ones are ignored. */
function traceOf(submission: Submission, { traceparent }: CallContext): string | undefined {
  const trace = submission.metadata?.["a2a.trace"];
  if (traceparent === undefined && (typeof trace !== "object" || trace === null)) return undefined;
  const { traceId, spanId } = (trace ?? {}) as { readonly traceId?: unknown; readonly spanId?: unknown };
  const parent = parseTraceparent(traceparent ?? `00-${String(traceId)}-${String(spanId)}-01`);
  return parent && formatTraceparent(parent);
}

/** A key stands for the whole request (A15). A generated message id is not part of the request. */
function keyOf(submission: Submission): { key?: RequestKey } {
  if (submission.idempotencyKey === undefined) return {};
  const { messageId: _, ...message } = submission.message;
  const { contextId, acceptedOutputModes, delivery, metadata, pushConfig } = submission;
  const asked = [message, contextId, acceptedOutputModes, delivery, metadata, pushConfig];
  return { key: requestKey(submission.idempotencyKey, asked) };
}

/** Executes over an engine. */
export function coreExecutor({ tasks, webhooks, skills, mayUseModel }: CoreExecutorOptions): AgentExecutor {
  const picturesFor = createFrameCaches();

  async function find(taskId: string, { caller }: CallContext): Promise<TaskHandle | undefined> {
    return visible(await tasks.get(taskId), caller);
  }
  const inline = webhooks && createInlineWebhooks(webhooks);

  return {
    ...(webhooks && { pushConfigs: corePushConfigs({ webhooks, find }) }),
    async submit(submission, call) {
      const options = { ...modelOf(submission, call, mayUseModel), ...optionsOf(submission, skills()) };
      try {
        const webhook = submission.pushConfig && (await inline?.prepare(submission.pushConfig, call));
        const { task: handle } = await openTurn(tasks, {
          class: call.caller.class,
          origin: "a2a",
          input: inputOfMessage(submission.message),
          options,
          trace: traceOf(submission, call),
          ...(webhook && { alongside: (task) => webhook.register(task) }),
          ...(submission.contextId === undefined ? {} : { context: submission.contextId }),
          ...keyOf(submission),
        });
        if (!handle.repeated) webhook?.watch();
        return new Reading(handle, picturesFor(call), true);
      } catch (error) {
        throw protocolError(error);
      }
    },
    async read(taskId, call) {
      const handle = await find(taskId, call);
      return handle === undefined ? undefined : new Reading(handle, picturesFor(call));
    },
    async answer(taskId, reply, call) {
      try {
        if (reply.pushConfig) await inline?.check(reply.pushConfig, taskId, call);
        const handle = await tasks.answer(taskId, {
          class: call.caller.class,
          input: inputOfMessage(reply.message),
          ...keyOf(reply),
        });
        if (reply.pushConfig) await inline?.set(reply.pushConfig, handle, call);
        return new Reading(handle, picturesFor(call));
      } catch (error) {
        throw protocolError(error, taskId);
      }
    },
    async steer(taskId, message, call) {
      const handle = await find(taskId, call);
      if (handle === undefined) throw taskNotFound(taskId);
      const { view } = handle;
      if (isTerminalState(view.state)) throw new A2AError("UNSUPPORTED_OPERATION", "The task is over");
      const { key } = keyOf(message);
      try {
        if (message.pushConfig) await inline?.check(message.pushConfig, taskId, call);
        await tasks.steer({
          class: view.class,
          context: view.context,
          origin: "a2a",
          input: inputOfMessage(message.message),
          ...(key === undefined ? {} : { key: { ...key, class: call.caller.class, task: taskId } }),
        });
        if (message.pushConfig) await inline?.set(message.pushConfig, handle, call);
      } catch (error) {
        throw protocolError(error, taskId);
      }
      return new Reading(handle, picturesFor(call));
    },
    async cancel(taskId, call) {
      if ((await find(taskId, call)) === undefined) throw taskNotFound(taskId);
      try {
        return new Reading(await tasks.cancel(taskId), picturesFor(call));
      } catch (error) {
        throw protocolError(error, taskId);
      }
    },
  };
}

/** One cache for each kind of viewer: all readers with the same rights get the same frames. */
function createFrameCaches(): (call: CallContext) => FrameCache {
  const full = new FrameCache({ mayApprove: true });
  const reasoning = new FrameCache({ mayApprove: true, seesReasoning: true });
  const reduced = new FrameCache({ mayApprove: false });
  return ({ caller, extensions }) => {
    if (!mayApprove(caller)) return reduced;
    return extensions?.includes(REASONING_EXTENSION) === true ? reasoning : full;
  };
}

/** Tasks and frames that all readers share: the handler caches their texts by identity. */
class FrameCache {
  readonly viewer: FrameViewer;
  readonly #frames = recentlyMade<NumberedFrame | undefined>();
  /** Cached while a stream sends them: thousands share the frame that ends a long task. */
  readonly #large = new SharedWhileUsed<NumberedFrame>();
  readonly #tasks = recentlyMade<{ seq: number; task: Task }>();

  constructor(viewer: FrameViewer) {
    this.viewer = viewer;
  }

  /** For tasks that are read repeatedly; a task that is read once is made by `taskOfView`. */
  task(view: Readonly<TaskView>): Task {
    const known = this.#tasks.get(view, () => ({ seq: view.seq, task: taskOfView(view, this.viewer) }));
    if (known.seq !== view.seq) {
      known.seq = view.seq;
      known.task = taskOfView(view, this.viewer);
    }
    return known.task;
  }

  frame(view: Readonly<TaskView>, event: CommittedEvent): NumberedFrame | undefined {
    if (isLarge(event)) return this.#large.get(`${view.id} ${event.seq}`, () => this.#make(view, event));
    return this.#frames.get(event, () => this.#make(view, event));
  }

  #make(view: Readonly<TaskView>, event: CommittedEvent): NumberedFrame | undefined {
    const frame = frameOfEvent(view, event, this.viewer);
    return frame === undefined ? undefined : { seq: event.seq, frame };
  }
}

/** Long answers are the events whose frames are long. */
function isLarge({ event }: CommittedEvent): boolean {
  return event.kind === "answer" && event.parts.some((part) => part.kind !== "text" || part.text.length >= LARGE);
}

/** A task handle as the port's `TaskReading`. `now` is the snapshot at its first use. */
class Reading implements TaskReading {
  readonly #handle: TaskHandle;
  readonly #cache: FrameCache;
  readonly #accepted: boolean;
  #now: TaskSnapshot | undefined;

  /** `accepted`: made for a request that just started the task, whose snapshot no other reader needs. */
  constructor(handle: TaskHandle, cache: FrameCache, accepted = false) {
    this.#handle = handle;
    this.#cache = cache;
    this.#accepted = accepted;
  }

  get now(): TaskSnapshot {
    const { view } = this.#handle;
    const { viewer } = this.#cache;
    const isShared = !this.#accepted && this.bytes < LARGE;
    this.#now ??= { task: isShared ? this.#cache.task(view) : taskOfView(view, viewer), seq: view.seq };
    return this.#now;
  }

  get bytes(): number {
    return this.#handle.bytes;
  }

  /** A15: a repeated request is streamed from its acceptance. */
  get replayFrom(): number | undefined {
    return this.#handle.repeated ? 1 : undefined;
  }

  async at(seq: number): Promise<TaskSnapshot> {
    const view = await this.#handle.at(Math.max(1, seq));
    return { task: taskOfView(view, this.#cache.viewer), seq: view.seq };
  }

  follow(after: number, signal: AbortSignal, options: FollowOptions = {}): AsyncGenerator<NumberedFrame> {
    return framesOf(this.#handle, this.#cache, after, signal, options);
  }

  async settled(signal?: AbortSignal): Promise<Task> {
    return taskOfView(await this.#handle.settled(signal), this.#cache.viewer);
  }
}

/** Not a method: a waiting stream would keep the reading in memory, with its first Task. */
async function* framesOf(
  handle: TaskHandle,
  cache: FrameCache,
  after: number,
  signal: AbortSignal,
  { untilTerminal }: FollowOptions,
): AsyncGenerator<NumberedFrame> {
  const { view } = handle;
  const { seesReasoning: reasoning } = cache.viewer;
  for await (const page of handle.follow(after, signal, { reasoning, untilTerminal })) {
    for (const event of page) {
      const frame = cache.frame(view, event);
      if (frame !== undefined) yield frame;
    }
  }
}
