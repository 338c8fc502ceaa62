/** A delegation to be done beside the turn. */
export interface BackgroundRequest {
  readonly subagentType: string;
  /** A short label for people. */
  readonly description: string;
  readonly prompt: string;
}

/** The call that spawns jobs. */
export interface SpawningCall {
  readonly task: string;
  readonly call: string;
  /** The conversation holds content from outside, and so may the prompts (K8). */
  readonly outside: boolean;
}

/** Who does delegations beside the turn: `run_in_background` and `stop_task` (B91). */
export interface BackgroundPort {
  /** Spawns the jobs of one call, all or none; the same call again gets the same jobs. Resolves with their ids. */
  spawn(of: SpawningCall, asked: readonly BackgroundRequest[]): Promise<readonly string[]>;
  /** Cancels a job of this class and session. @returns the result as a sentence for the model */
  stop(of: { readonly task: string }, id: string): Promise<string>;
}
