import { CodedError } from "../error/index.ts";

/**
 * Why something about a goal was refused. `not_active`: there is none, or it has ended. `too_high`: more iterations than
 * there may be. `off`: goals are switched off.
 */
export type GoalErrorCode = "invalid" | "refused" | "no_goal" | "not_active" | "too_many" | "too_high" | "off";

/** A refused request; nothing changed. */
export class GoalError extends CodedError<GoalErrorCode> {
  override readonly name = "GoalError";

  override get retryable(): boolean {
    return this.code === "off";
  }
}
