import { recentlyMade, type Task } from "@agent-service/a2a-protocol";
import type { CallContext, NumberedFrame } from "@agent-service/a2a-protocol/server";
import { type CommittedEvent, OPERATOR_CLASS, type TaskView } from "@agent-service/agent-core/host";
import { REASONING_EXTENSION } from "./extension-uris.ts";
import { type FrameViewer, frameOfEvent } from "./frame-of-event.ts";
import { SharedWhileUsed } from "./shared-while-used.ts";
import { taskOfView } from "./task-of-view.ts";

/** Bytes from which on the Task or frame of an event is not cached. */
export const LARGE = 256 * 1024;

/** One cache for each kind of viewer: all readers with the same rights get the same frames. */
export function createFrameCaches(): (call: CallContext) => FrameCache {
  const full = new FrameCache({ mayApprove: true });
  const reasoning = new FrameCache({ mayApprove: true, seesReasoning: true });
  const reduced = new FrameCache({ mayApprove: false });
  return ({ caller, extensions }) => {
    if (caller.class !== OPERATOR_CLASS) return reduced;
    return extensions?.includes(REASONING_EXTENSION) === true ? reasoning : full;
  };
}

/** Tasks and frames that all readers share: the handler caches their texts by identity. */
export class FrameCache {
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
