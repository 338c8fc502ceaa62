import { defineResource } from "../resource/index.ts";
import { cancelDelegation, delegationsRoutes, listDelegations } from "./routes.ts";

/** What the agents of a session delegated and wait for. */
export const delegations = defineResource({
  name: "delegations",
  feature: "subagents",
  definitions: [listDelegations, cancelDelegation],
  topics: [
    {
      topic: "delegation.changed",
      when: "A subagent began or ended what it was given",
      data: "`id`, `session_id`, `task_id` (its own), `parent`, `subagent_type`, `label`, `state`",
    },
  ],
  routes: delegationsRoutes,
});
