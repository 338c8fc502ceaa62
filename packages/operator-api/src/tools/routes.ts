import * as v from "valibot";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const toolSchema = v.object({
  name: v.string(),
  description: v.pipe(v.string(), v.description("The first line of what the model reads.")),
  source: v.picklist(["core", "plugin", "mcp"]),
  category: v.pipe(v.string(), v.description("The subsystem, plugin or MCP server that brings it.")),
  enabled: v.pipe(v.boolean(), v.description("False: the agent does not have it now.")),
  deferred: v.pipe(v.boolean(), v.description("The model is shown it once it has searched for it.")),
  blocked: v.pipe(v.boolean(), v.description("It is never run (enforcement.disallowed_tools).")),
  operator_only: v.pipe(
    v.boolean(),
    v.description("Turns of peers, whatever their skill or role, do not have it: to them it does not exist."),
  ),
  requires_approval: v.pipe(
    v.boolean(),
    v.description("The operator approves every call first (enforcement.require_approval)."),
  ),
});

const listSchema = v.object({
  tools: v.array(toolSchema),
  count: v.pipe(v.number(), v.description("Of those that are enabled.")),
  disabled: v.pipe(v.array(v.string()), v.description("`tools.disabled` as it is written.")),
});

export const listTools = defineRoute({
  name: "tools.list",
  method: "GET",
  path: "/api/tools",
  tag: "Tools",
  summary: "The tools of the agent, without hidden ones",
  reply: json(listSchema),
});

/** Implemented by the service. */
export interface ToolsService {
  list(): Frozen<v.InferInput<typeof listSchema>>;
}

export function toolsRoutes(tools: ToolsService): readonly ServedRoute[] {
  return [serve(listTools, () => tools.list())];
}
