import type { Toolbox } from "../tool/index.ts";

/** How a delegated task runs (B53 `subagents`). */
export interface TurnRole {
  /** Its tools; the others do not exist for it. */
  readonly toolbox: Toolbox;
  /** The system text, instead of the persona. */
  readonly system: string | undefined;
  /** Tool rounds; a request for one more ends the turn with what it has. */
  readonly maxRounds: number;
}
