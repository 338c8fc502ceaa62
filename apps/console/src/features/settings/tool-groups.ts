import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A tool as the service lists it. */
export type Tool = AnswerOf<Extract<OperatorDefinition, { readonly name: "tools.list" }>>["tools"][number];

/** Tools under the name of their source. */
export interface ToolGroup {
  readonly title: string;
  readonly tools: readonly Tool[];
}

/** The tools that match every term of a search, by their source, in the order of the service. */
export function toolGroups(tools: readonly Tool[], search: string): readonly ToolGroup[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const title = titleOf(tool);
    const text = `${title} ${tool.name} ${tool.description}`.toLowerCase();
    if (!terms.every((term) => text.includes(term))) continue;
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [tool]);
    else group.push(tool);
  }
  return [...groups].map(([title, members]) => ({ title, tools: members }));
}

function titleOf({ source, category }: Tool): string {
  const name = category.charAt(0).toUpperCase() + category.slice(1);
  if (source === "plugin") return `Plugin ${category}`;
  return source === "mcp" ? `MCP server ${category}` : name;
}

/** A setting's names with one added or removed; other entries stay. */
export function withName(names: readonly string[], name: string, listed: boolean): readonly string[] {
  const others = names.filter((one) => one !== name);
  return listed ? [...others, name] : others;
}
