export { approvals } from "./resource.ts";
export type { ApprovalFilter, ApprovalPosition, ApprovalsPage, ApprovalsService } from "./routes.ts";
