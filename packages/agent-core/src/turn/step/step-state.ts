import type { ReasoningEffort } from "../../model/index.ts";

/** A model call whose intent is durable and whose outcome is not. */
export interface OpenModelCall {
  readonly call: string;
  readonly step: number;
  readonly model: string;
  /** The reasoning effort it was sent with; absent: none. */
  readonly effort?: ReasoningEffort;
  readonly startedAt: number;
}

export interface StepState {
  /** Model calls so far. */
  number: number;
  /** Undefined between an outcome and the next intent. */
  call: OpenModelCall | undefined;
  /** Text deltas of the answer were committed on their own. */
  deltasShown: boolean;
}
