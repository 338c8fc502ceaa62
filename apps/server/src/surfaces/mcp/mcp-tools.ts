/** The tools of `/mcp` as clients are shown them. */
import { type JsonObject, operationInput, type RouteDefinition } from "@agent-service/operator-api";
import type { Tool } from "@modelcontextprotocol/server";
import { ASK_AGENT, type ExposedAgentTool } from "../../exposed-tools/index.ts";

/** `ask_agent`. */
export const ASK_AGENT_TOOL: Tool = {
  name: ASK_AGENT,
  title: "Ask the agent",
  description:
    "Sends a message to the agent and waits for its answer. It works with its own tools and asks a person where its settings say so. Send the session_id of an answer to go on with that conversation.",
  inputSchema: {
    type: "object",
    properties: {
      message: { type: "string", description: "What the agent is to do or to answer." },
      session_id: { type: "string", description: "Of the conversation to go on with. Absent: a new one." },
      idempotency_key: {
        type: "string",
        description: "A name for this request: repeated under it, the same turn answers, and nothing is done twice.",
      },
    },
    required: ["message"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, openWorldHint: true },
};

/** An operation of the operator API. */
export function operationTool(definition: RouteDefinition, mutates: boolean): Tool {
  const { name, summary, description, method } = definition;
  return {
    name,
    title: summary,
    description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
    inputSchema: operationInput(definition) as Tool["inputSchema"] & JsonObject,
    annotations: {
      readOnlyHint: !mutates,
      ...(mutates && { destructiveHint: method === "DELETE", idempotentHint: method === "PUT" || method === "DELETE" }),
      openWorldHint: false,
    },
  };
}

/** A tool of the agent. */
export function agentTool({ name, description, parameters, effect }: ExposedAgentTool): Tool {
  return {
    name,
    description,
    inputSchema: { ...parameters, type: "object" },
    annotations: { readOnlyHint: effect === "pure", ...(effect === "idempotent" && { idempotentHint: true }) },
  };
}
