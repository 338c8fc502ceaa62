/** The tools for the resources of a server (M12). Their words are this service's, so they are approved as they are. */
import type { Definition, ToolDefinition } from "./definition.ts";
import { definitionDigest } from "./definition.ts";
import type { PinnedDefinition } from "./pinned-definition.ts";

/** Characters of an address or a cursor. */
export const MAX_ADDRESS_CHARS = 2_000;

const text = (description: string) => ({ type: "string", maxLength: MAX_ADDRESS_CHARS, description });

export const LIST_RESOURCES: ToolDefinition = {
  ...{ kind: "tool", name: "list_resources", hints: { readOnlyHint: true } },
  description: "List the resources of this server (files, records, pages it offers to read) with their addresses.",
  inputSchema: { type: "object", properties: { cursor: text("From the end of the list before.") } },
};

export const READ_RESOURCE: ToolDefinition = {
  ...{ kind: "tool", name: "read_resource", hints: { readOnlyHint: true } },
  description: "Read a resource of this server.",
  inputSchema: { type: "object", properties: { uri: text("Its address.") }, required: ["uri"] },
};

const TOOLS = [LIST_RESOURCES, READ_RESOURCE];

/** Whether a tool reads resources, rather than being the server's own. */
export function isResourceTool(definition: Definition): boolean {
  return definition === LIST_RESOURCES || definition === READ_RESOURCE;
}

/** Pins of the tools for resources but those whose names the server's own tools have. */
export function resourcePins(pins: readonly PinnedDefinition[]): readonly PinnedDefinition[] {
  const own = new Set(pins.flatMap(({ kind, name }) => (kind === "tool" ? [name] : [])));
  return TOOLS.filter(({ name }) => !own.has(name)).map((approved) => ({
    ...{ kind: approved.kind, name: approved.name, digest: definitionDigest(approved), approved },
    ...{ seen: undefined, state: "approved", seenAt: 0, decidedAt: undefined },
  }));
}
