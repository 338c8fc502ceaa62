import type { StreamResponse } from "../stream/index.ts";
import type { Task } from "../task/index.ts";
import { frameToWire, taskToWire } from "./to-wire.ts";

/** Writes tasks and frames as 0.3 JSON text, each object once. */
export interface FrameWriter {
  /** `historyLength` as in the request. */
  task(task: Task, historyLength?: number): string;
  frame(frame: StreamResponse): string;
}

/**
 * A writer that remembers the text of every object it has written for as long as that object lives, so that many
 * readers of one frame cost one serialisation (the executor hands all of them the same object).
 */
export function createFrameWriter(): FrameWriter {
  const texts = new WeakMap<object, string>();
  function once(key: object, write: () => object): string {
    let text = texts.get(key);
    if (text === undefined) {
      text = JSON.stringify(write());
      texts.set(key, text);
    }
    return text;
  }
  function taskText(task: Task, historyLength?: number): string {
    if (historyLength !== undefined && task.history !== undefined)
      return JSON.stringify(taskToWire(task, historyLength));
    return once(task, () => taskToWire(task));
  }
  return {
    task: taskText,
    frame: (frame) => ("task" in frame ? taskText(frame.task) : once(frame, () => frameToWire(frame))),
  };
}
