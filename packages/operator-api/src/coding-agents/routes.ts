import * as v from "valibot";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";

const agentSchema = v.object({ id: v.string(), label: v.string(), command: v.string(), args: v.array(v.string()) });

export const listCodingAgents = defineRoute({
  name: "coding_agents.list",
  method: "GET",
  path: "/api/acp-agents",
  tag: "Coding agents",
  summary: "Coding agents of this machine that support the Agent Client Protocol",
  description:
    "Those whose command is found on the service's `PATH`; none is started. This build cannot delegate to one yet.",
  reply: json(v.object({ agents: v.array(agentSchema) })),
});

/** A coding agent that was found. */
export type CodingAgent = v.InferInput<typeof agentSchema>;

/** Implemented by the service. */
export interface CodingAgentsService {
  detected(): Promise<readonly CodingAgent[]>;
}

export function codingAgentsRoutes(service: CodingAgentsService): readonly ServedRoute[] {
  return [serve(listCodingAgents, async () => ({ agents: [...(await service.detected())] }))];
}
