/** A model call whose intent is durable and whose outcome is not. */
export interface OpenModelCall {
  readonly call: string;
  readonly step: number;
  readonly model: string;
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
