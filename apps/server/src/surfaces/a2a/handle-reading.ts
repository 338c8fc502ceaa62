import type { Task } from "@agent-service/a2a-protocol";
import type { FollowOptions, NumberedFrame, TaskReading, TaskSnapshot } from "@agent-service/a2a-protocol/server";
import type { TaskHandle } from "@agent-service/agent-core/host";
import { type FrameCache, LARGE } from "./frame-cache.ts";
import { taskOfView } from "./task-of-view.ts";

/** A task handle as the port's `TaskReading`. `now` is the snapshot at its first use. */
export class HandleReading implements TaskReading {
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
