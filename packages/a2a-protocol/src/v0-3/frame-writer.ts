import { recentlyWritten, type StreamResponse } from "../stream/index.ts";
import type { Task } from "../task/index.ts";
import { frameToWire, taskToWire } from "./to-wire.ts";

/** Writes tasks and frames as 0.3 JSON text, each object once. */
export interface FrameWriter {
  /** `historyLength` as in the request. */
  task(task: Task, historyLength?: number): string;
  frame(frame: StreamResponse): string;
}

/**
 * A writer that remembers the texts it wrote last, so that many readers of one frame cost one serialisation (the
 * executor hands all of them the same object).
 */
export function createFrameWriter(): FrameWriter {
  const texts = recentlyWritten();
  function taskText(task: Task, historyLength?: number): string {
    if (historyLength !== undefined && task.history !== undefined)
      return JSON.stringify(taskToWire(task, historyLength));
    return texts.get(task, () => JSON.stringify(taskToWire(task)));
  }
  return {
    task: taskText,
    frame: (frame) =>
      "task" in frame ? taskText(frame.task) : texts.get(frame, () => JSON.stringify(frameToWire(frame))),
  };
}
