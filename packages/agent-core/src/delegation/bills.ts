import { type DelegationFinished, isTerminalState, type TaskView } from "../event/index.ts";

/** The event that adds an ended task's usage to the call that started it. */
export function billFor(call: string, { id: task, state, models }: Readonly<TaskView>): DelegationFinished {
  if (!isTerminalState(state)) throw new Error(`task ${task} has not ended`);
  return { kind: "delegation.finished", call, task, state, models: models.map((account) => ({ ...account })) };
}

/** Accounts of tasks that calls started, until the outcome of the call is written. */
export class Bills {
  readonly #ofCalls = new Map<string, DelegationFinished[]>();

  /** Adds the account of a task that has ended. */
  add(call: string, view: Readonly<TaskView>): void {
    const bill = billFor(call, view);
    const known = this.#ofCalls.get(call);
    if (known === undefined) this.#ofCalls.set(call, [bill]);
    else known.push(bill);
  }

  /** Those of a call, once. */
  take(call: string): readonly DelegationFinished[] {
    const bills = this.#ofCalls.get(call) ?? [];
    this.#ofCalls.delete(call);
    return bills;
  }
}
