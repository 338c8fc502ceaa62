import type { TaskFailure } from "../../event/index.ts";
import type { TaskRecord } from "../../journal/index.ts";
import { ModelConfigError, ModelError } from "../../model/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";

/** A failed call as it is journaled. A provider may echo whatever it was sent, so its message is redacted (S5). */
export function modelFailure(
  error: unknown,
  { redactor }: Pick<TurnDeps, "redactor">,
  call?: { readonly record: TaskRecord; readonly chosen: ChosenModel },
): TaskFailure {
  if (error instanceof ModelError) {
    const { code, status, retryAfterMs } = error;
    const hint = call?.record.view.class === OPERATOR_CLASS ? call.chosen.explain?.(error) : undefined;
    const message = redactor.text(hint === undefined ? error.message : `${error.message}. ${hint}`);
    return {
      code: `model_${code}`,
      message,
      ...(status === undefined ? {} : { upstreamStatus: status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
    };
  }
  if (error instanceof ModelConfigError) return { code: `model_${error.code}`, message: error.message };
  return { code: "model_failed", message: "The model call failed." };
}
