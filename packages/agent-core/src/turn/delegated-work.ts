import type { DelegationFinished, TaskView } from "../event/index.ts";
import type { EndReason } from "./end-reason.ts";

/** What calls of turns hand to tasks of their own, as the loop and its runner see it (A11, R5). */
export interface DelegatedWork {
  /** The accounts of the tasks of a call that has ended. Asked once, when the call's outcome is written. */
  delegationsOf(call: string): readonly DelegationFinished[];
  /** True while a task that this one waits for waits itself, for a person or for its turn. */
  waits(task: string): boolean;
  /**
   * Ends what a task delegated and is still open, for the reason the task itself ends; resolves with the accounts of all
   * it delegated to, but those in `billed`.
   * @throws DatabaseError when the store cannot take an end
   */
  end(view: Readonly<TaskView>, billed: ReadonlySet<string>, reason: EndReason): Promise<readonly DelegationFinished[]>;
}
