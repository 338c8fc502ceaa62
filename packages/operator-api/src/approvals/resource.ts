import { defineResource } from "../resource/index.ts";
import { approvalsRoutes, decideApproval, listApprovals, listGrants, previewApproval, revokeGrant } from "./routes.ts";

/** Of every topic of a prompt. */
const prompt = "`id`, `task_id`, `session_id`";

/** What waits for a person, and the approvals that are remembered. */
export const approvals = defineResource({
  name: "approvals",
  feature: "approvals",
  definitions: [listApprovals, previewApproval, decideApproval, listGrants, revokeGrant],
  topics: [
    {
      topic: "approval.requested",
      when: "A person is asked, by a turn of any surface and depth",
      data: `${prompt}, \`kind\`, \`origin\``,
    },
    { topic: "approval.answered", when: "A prompt was answered", data: prompt },
    { topic: "approval.withdrawn", when: "A prompt is not asked any more", data: prompt },
    { topic: "approval.granted", when: "An answer was remembered for the next time", data: "`id`, `tool`" },
    { topic: "approval.revoked", when: "A remembered answer was taken back", data: "`id`" },
  ],
  routes: approvalsRoutes,
});
