import { defineFeature } from "../feature/index.ts";
import { routingSection } from "../model/index.ts";
import { Delegations } from "./delegations.ts";
import { roleCommands } from "./role-commands.ts";
import { subagentsSection } from "./subagents-section.ts";

/** Delegation: roles, the tools `task`, `task_batch` and `stop_task`, and the tasks that belong to a call. */
export const delegation = defineFeature({
  name: "delegation",
  topics: ["delegation.changed"],
  sections: [subagentsSection, routingSection],
  open: (engine, { settings }) =>
    new Delegations({
      engine,
      settings: () => settings.subagents,
      auxModel: () => settings.routing.aux_model,
    }),
  tools: (delegations) => delegations.tools,
  commands: (delegations) => () => roleCommands(delegations.roles),
  delegation: (delegations) => ({ work: delegations, role: (name) => delegations.roles.turnRole(name) }),
});
