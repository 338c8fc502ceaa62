export type { BackgroundPort, BackgroundRequest } from "./background-port.ts";
export { childTaskId } from "./child-task-id.ts";
export { DelegationError, type DelegationErrorCode } from "./delegation-error.ts";
export { type DelegationOutcome, outcomeOf } from "./delegation-outcome.ts";
export { batchText, type DelegationToolParts, delegationTools, MAX_BATCH, MAX_PROMPT } from "./delegation-tools.ts";
export {
  type Delegate,
  type DelegatingCall,
  type DelegationParts,
  Delegations,
  type DelegationsOptions,
  type RunningDelegation,
  type StartChild,
} from "./delegations.ts";
export { inParallel } from "./in-parallel.ts";
export { RoleBook, type RoleInfo } from "./role-book.ts";
export { DEFAULT_ROLE, ROLES } from "./roles.ts";
export { type SubagentsSectionValue, subagentsSection } from "./subagents-section.ts";
