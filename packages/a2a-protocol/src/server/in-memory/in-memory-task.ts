/**
 * One task in memory: its log of frames, and readings of it. Invariants, as the executor port demands them:
 * 1. Event 1 is the acceptance; every frame has the next number; nothing is renumbered or removed.
 * 2. `at` and `follow` are functions of the log alone, so a replay equals what live readers saw.
 * 3. A terminal state is never left.
 */
import type { Message } from "../../message/index.ts";
import { applyFrame, type StreamResponse } from "../../stream/index.ts";
import { isTerminal, type Task } from "../../task/index.ts";
import type { FollowOptions, NumberedFrame, TaskReading, TaskSnapshot } from "../executor.ts";
import { isSettled } from "../operation/frames-to-the-end.ts";

/** A task and its log. */
export interface InMemoryTask {
  /** As it is now. */
  task(): Task;
  /** Number of the last event. */
  lastSeq(): number;
  /** Appends a frame; ignored once the task is terminal. */
  emit(frame: StreamResponse): void;
  /** Adds a message to the history, as part of the event that comes next. */
  remember(message: Message): void;
  reading(replayFrom?: number): TaskReading;
}

/** A task at its event 1. */
export function createInMemoryTask(first: Task): InMemoryTask {
  const frames: NumberedFrame[] = [];
  const messages = (first.history ?? []).map((message) => ({ seq: 1, message }));
  const waiting = new Set<() => void>();
  let bare = first;
  let current: Task = first;

  const lastSeq = () => frames.length + 1;

  function withHistory(task: Task, seq: number): Task {
    return { ...task, history: messages.filter((item) => item.seq <= seq).map((item) => item.message) };
  }

  function emit(frame: StreamResponse): void {
    if (isTerminal(current.status.state)) return;
    frames.push({ seq: lastSeq() + 1, frame });
    bare = applyFrame(bare, frame);
    current = withHistory(bare, lastSeq());
    const wakers = [...waiting];
    waiting.clear();
    for (const wake of wakers) wake();
  }

  /** Resolves with the next event; rejects when aborted. */
  function change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      function wake(): void {
        signal?.removeEventListener("abort", abort);
        resolve();
      }
      function abort(): void {
        waiting.delete(wake);
        reject(signal?.reason);
      }
      if (signal?.aborted) return abort();
      waiting.add(wake);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  async function* follow(after: number, signal: AbortSignal, options?: FollowOptions): AsyncGenerator<NumberedFrame> {
    for (let next = Math.max(0, after - 1); ; ) {
      for (; next < frames.length; next++) {
        signal.throwIfAborted();
        yield frames[next]!;
      }
      if (options?.untilTerminal ? isTerminal(current.status.state) : isSettled(current)) return;
      await change(signal);
    }
  }

  async function settled(signal?: AbortSignal): Promise<Task> {
    while (!isSettled(current)) await change(signal);
    return current;
  }

  async function at(wanted: number): Promise<TaskSnapshot> {
    const seq = Math.min(Math.max(1, wanted), lastSeq());
    if (seq === lastSeq()) return { task: current, seq };
    const task = frames.slice(0, seq - 1).reduce((state, { frame }) => applyFrame(state, frame), first);
    return { task: withHistory(task, seq), seq };
  }

  return {
    task: () => current,
    lastSeq,
    emit,
    remember: (message) => messages.push({ seq: lastSeq() + 1, message }),
    reading: (replayFrom) => ({
      now: { task: current, seq: lastSeq() },
      ...(replayFrom !== undefined && { replayFrom }),
      at,
      follow,
      settled,
    }),
  };
}
