export {
  type ApprovalFilter,
  type ApprovalPlace,
  type ApprovalsPage,
  type ApprovalsService,
  approvalsDefinitions,
  approvalsRoutes,
} from "./routes.ts";
