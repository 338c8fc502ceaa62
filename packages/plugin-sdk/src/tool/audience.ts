import type { AnyTool } from "./tool.ts";

/** What decides which tools a turn has. */
export interface ToolUser {
  /** A call delegated it. */
  readonly subagent: boolean;
  /** Its caller is not the operator. */
  readonly peer: boolean;
}

/** Whether turns of this kind have the tool; a subagent of a peer has only tools that are for both. */
export function isAvailableTo({ subagent, peer }: ToolUser, { availableTo }: Pick<AnyTool, "availableTo">): boolean {
  if (availableTo === undefined) return true;
  if (!subagent && !peer) return availableTo.includes("lead");
  return (!subagent || availableTo.includes("subagents")) && (!peer || availableTo.includes("peers"));
}
