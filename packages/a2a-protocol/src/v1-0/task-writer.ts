import { recentlyWritten, type StreamResponse } from "../stream/index.ts";
import type { Task } from "../task/index.ts";

/** Writes tasks and frames as 1.0 JSON text, each object once. */
export interface TaskWriter {
  /** A bare task. `historyLength`: at most that many newest messages; absent: all, 0: none (A10). */
  task(task: Task, historyLength?: number): string;
  /** A task under its key, as a send and the start of a stream bring it. */
  wrapped(task: Task, historyLength?: number): string;
  frame(frame: StreamResponse): string;
}

/**
 * The model has 1.0's shape, so that writing is `JSON.stringify`. Remembers the texts it wrote last: many readers of
 * one frame cost one serialisation.
 */
export function createTaskWriter(): TaskWriter {
  const texts = recentlyWritten();
  function taskText(task: Task, historyLength?: number): string {
    if (historyLength === undefined || task.history === undefined) {
      return texts.get(task, () => JSON.stringify(task));
    }
    const { history, ...rest } = task;
    return JSON.stringify(historyLength === 0 ? rest : { ...rest, history: history.slice(-historyLength) });
  }
  const wrapped = (task: Task, historyLength?: number) => `{"task":${taskText(task, historyLength)}}`;
  return {
    task: taskText,
    wrapped,
    frame: (frame) => ("task" in frame ? wrapped(frame.task) : texts.get(frame, () => JSON.stringify(frame))),
  };
}
