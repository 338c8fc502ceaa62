import { defineResource } from "../resource/index.ts";
import { codingAgentsRoutes, listCodingAgents } from "./routes.ts";

/** Coding agents of this machine. */
export const codingAgents = defineResource({
  name: "codingAgents",
  definitions: [listCodingAgents],
  routes: codingAgentsRoutes,
});
