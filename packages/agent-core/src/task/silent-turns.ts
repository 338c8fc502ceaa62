import type { ReleasingMap } from "../collection/index.ts";
import type { TaskFailure } from "../event/index.ts";
import type { TaskRecord } from "../journal/index.ts";
import type { TurnLimits, TurnState } from "../turn/index.ts";

/** A turn, as far as its signs of life go. */
interface LivingTurn {
  readonly record: TaskRecord;
  /** Undefined while it is being restored. */
  readonly state: Pick<TurnState, "aliveAt" | "batch"> | undefined;
}

/** What silence is measured by. */
export interface SilenceRule {
  readonly limits: Pick<TurnLimits, "silenceMs">;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether a turn waits for a slot or for what it delegated. */
  waits(task: string): boolean;
}

/** A turn that showed no sign of life for the limit, and the failure to end it with. */
export interface SilentTurn {
  readonly record: TaskRecord;
  readonly failure: TaskFailure;
}

/** The turns, by their task's id, that showed no sign of life for the limit (R5). A turn that waits counts as alive. */
export function silentTurns(running: ReleasingMap<LivingTurn>, { limits, now, waits }: SilenceRule): SilentTurn[] {
  const { silenceMs } = limits;
  const silent: SilentTurn[] = [];
  countDescendants(running);
  for (const { record, state } of running.values()) {
    if (state === undefined || state.aliveAt > now - silenceMs || record.ended) continue;
    if (waits(record.view.id)) {
      state.aliveAt = now;
      continue;
    }
    const tools = [...(state.batch?.openCalls.values() ?? [])].map((call) => call.name).join(", ");
    const doing = tools === "" ? "while the model was called" : `while ${tools} ran`;
    const message = `No sign of life for ${Math.round(silenceMs / 1000)} s ${doing}.`;
    silent.push({ record, failure: { code: "silence", message } });
  }
  return silent;
}

/** A task whose descendants live is alive, and so is one of whose descendants one waits (R5). */
function countDescendants(running: ReleasingMap<LivingTurn>): void {
  for (const { record, state } of running.values()) {
    const { parent } = record.view;
    const of = parent === undefined ? undefined : running.get(parent.task)?.state;
    if (of !== undefined && state !== undefined) of.aliveAt = Math.max(of.aliveAt, state.aliveAt);
  }
}
