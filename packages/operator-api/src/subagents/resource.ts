import { defineResource } from "../resource/index.ts";
import { listSubagents, runSubagent, runSubagents, subagentsRoutes } from "./routes.ts";

/** The roles that work can be delegated to. */
export const subagents = defineResource({
  name: "subagents",
  feature: "subagents",
  definitions: [listSubagents, runSubagent, runSubagents],
  routes: subagentsRoutes,
});
