/** What a person is asked, as it is journaled and shown (A13). */
import type { FormStep } from "@agent-service/plugin-sdk";

/** The question itself. `args` of an approval are the exact arguments that would run, as JSON. */
export type PromptPayload =
  | { readonly kind: "question"; readonly question: string }
  | { readonly kind: "form"; readonly title: string; readonly description: string; readonly steps: readonly FormStep[] }
  | {
      readonly kind: "approval";
      readonly title: string;
      readonly detail: string;
      readonly tool: string;
      readonly args: unknown;
      /** The same call may be approved for the future too (O3). */
      readonly grantable?: true;
      /** The call is known not to have happened, though a crash left it open: who declines leaves nothing in doubt. */
      readonly notRun?: true;
      /** What its preview was made from when it was asked (`ToolPreview.base`). Not shown. */
      readonly base?: string;
    };

/**
 * Why a call waits.
 * - `inside`: the tool itself parked; the answer is the result of its call.
 * - `before`: the call has not run; approval runs it.
 * - `again`: the call may have run before a crash or timeout; approval runs it (again), decline leaves it (R3).
 */
export type PromptReason = "inside" | "before" | "again";

/** A prompt that waits for a person. */
export interface PendingPrompt {
  readonly promptId: string;
  readonly callId: string;
  /** Name of the tool whose call waits. */
  readonly tool: string;
  readonly reason: PromptReason;
  readonly payload: PromptPayload;
  /** The call that made the call which waits (SC1); absent: the model made it. */
  readonly parentCall?: string;
}
