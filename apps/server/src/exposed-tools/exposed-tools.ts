/** What MCP clients are offered at `/mcp`, from the settings, the operator API's definitions and the agent's tools (M17). */
import { type AgentEngine, nameMatcher } from "@agent-service/agent-core/host";
import { isMutation, operatorDefinitions, type RouteDefinition } from "@agent-service/operator-api";
import type { ServerSettings } from "../settings/index.ts";
import { offerOf } from "./operation-offers.ts";

/** `mcp.expose`. */
export type ExposeSettings = ServerSettings["mcp"]["expose"];

/** The tool that every profile has. */
export const ASK_AGENT = "ask_agent";

/** One thing that is offered. */
export interface ExposedEntry {
  readonly name: string;
  /** `agent`: a message to the agent. `operation`: of the operator API. `tool`: a direct call of one of the agent's. */
  readonly source: "agent" | "operation" | "tool";
  /** It may change something. */
  readonly mutates: boolean;
}

/** The operations that a profile offers, by name. */
export function exposedOperations(profile: ExposeSettings["profile"]): readonly RouteDefinition[] {
  return operatorDefinitions
    .filter(({ name }) => {
      const offer = offerOf(name);
      return offer === "read" || (offer === "full" && profile === "full");
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A tool of the agent that may be called directly. */
export interface ExposedAgentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [key: string]: unknown };
  readonly effect: "pure" | "idempotent" | "effect";
}

/** The agent's tools that `expose.tools` names, as a turn of the operator has them now. */
export function exposedAgentTools(
  { tools }: Pick<ExposeSettings, "tools">,
  toolbox: AgentEngine["toolbox"],
): readonly ExposedAgentTool[] {
  const isNamed = nameMatcher(tools);
  if (isNamed === undefined) return [];
  const own = toolbox.for({ subagent: false, peer: false });
  return [...own.shown.list, ...(own.withheld?.values() ?? [])].flatMap((shown) => {
    const { name, description, parameters } = shown;
    const tool = isNamed(name) && name !== ASK_AGENT ? own.get(name) : undefined;
    return tool === undefined ? [] : [{ name, description, parameters, effect: tool.effect ?? "effect" }];
  });
}

/** Everything that is offered, whether or not `expose.enabled` is on. */
export function exposedEntries(expose: ExposeSettings, toolbox: AgentEngine["toolbox"]): readonly ExposedEntry[] {
  return [
    { name: ASK_AGENT, source: "agent", mutates: true },
    ...exposedOperations(expose.profile).map((one) => ({
      ...{ name: one.name, source: "operation" as const, mutates: isMutation(one) },
    })),
    ...exposedAgentTools(expose, toolbox).map(({ name, effect }) => ({
      ...{ name, source: "tool" as const, mutates: effect !== "pure" },
    })),
  ];
}
