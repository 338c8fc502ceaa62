/** The state of turns that continue after a wait, a park or a restart, read from the store. */
import type { TaskEvent } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import { restoreTurn, type TaskOptions, type TurnDeps, type TurnStart, type TurnState } from "../turn/index.ts";
import { NO_SLOT } from "./queue-entry.ts";

/** What the runner gives a turn. */
export type TurnFrame = Omit<TurnStart, "options">;

/** The state a turn continues with; its first events are in the carry. */
export async function resumeTurn(frame: TurnFrame, deps: TurnDeps, afterCrash: boolean): Promise<TurnState> {
  const { record } = frame;
  const stored = await deps.journal.optionsOf(record.view.id);
  const options: TaskOptions = stored === undefined ? {} : (JSON.parse(stored) as TaskOptions);
  const state = await restoreTurn({ ...frame, options }, deps, afterCrash);
  state.carry.events.push(...openingEvents(record, deps.clock.now(), afterCrash));
  if (record.view.text !== "") state.carry.events.push({ kind: "text.reset" });
  state.step.deltasShown = false;
  return state;
}

/** Whether a task has begun neither a model call nor a call: a direct call makes calls without a model. */
export function hasDoneNothing({ view: { state, steps } }: TaskRecord): boolean {
  return state === "queued" && steps === 0;
}

/** What a task that no loop owns left open: calls, a model call, answers not acted on. Undefined: nothing. */
export async function lastStateOf(record: TaskRecord, deps: TurnDeps): Promise<TurnState | undefined> {
  if (hasDoneNothing(record)) return undefined;
  const { signal } = new AbortController();
  const start = { record, signal, slot: NO_SLOT, takeSteering: () => [], options: {} };
  const state = await restoreTurn(start, deps, true);
  const open = record.view.modelCall;
  if (open !== undefined) state.step.call = { call: open.call, step: open.step, model: open.model, startedAt: open.at };
  return state;
}

/** The first events of a task that continues after a wait or in another process. */
function openingEvents(record: TaskRecord, now: number, afterCrash: boolean): TaskEvent[] {
  if (!afterCrash) return record.view.state === "queued" ? [{ kind: "task.started" }] : [];
  const events: TaskEvent[] = [{ kind: "task.resumed" }];
  const open = record.view.modelCall;
  if (open !== undefined) {
    const failure = { code: "interrupted", message: "The service was restarted during this call." };
    const { call, step, model } = open;
    events.push({ kind: "model.failed", call, step, model, failure, ms: Math.max(0, now - open.at) });
  }
  return events;
}
