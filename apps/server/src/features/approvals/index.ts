import { defineServiceFeature } from "../../service-feature/index.ts";
import { approvalsService } from "./approvals-service.ts";

export const approvals = defineServiceFeature({
  services: (_, { core, redact }) => ({ approvals: approvalsService({ core, redact }) }),
  flags: () => ({ approvals: true }),
});
