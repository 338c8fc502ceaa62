import type { TaskFailure, TaskView } from "../event/index.ts";

/** How a delegated task ended. */
export interface DelegationOutcome {
  readonly task: string;
  readonly ok: boolean;
  /** The answer, or a sentence for the model on why there is none. */
  readonly text: string;
  /** Why it failed; undefined also for one that was canceled. */
  readonly failure: TaskFailure | undefined;
}

/** Reads the outcome of a task that has ended. */
export function outcomeOf(view: Readonly<TaskView>): DelegationOutcome {
  const { id: task, state, failure } = view;
  if (state === "completed") {
    const texts = (view.answer ?? []).map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data)));
    const text = texts.join("\n\n");
    // The reason why the answer was cut short is added, unless the answer contains it.
    const { note } = view;
    return { task, ok: true, text: note === undefined || text.includes(note) ? text : `${text}\n\n[${note}]`, failure };
  }
  if (state === "canceled") {
    return { task, ok: false, text: "The delegation was canceled before it ended.", failure: undefined };
  }
  return { task, ok: false, text: failure?.message ?? "The subagent failed.", failure };
}
