import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A tool as the service lists it. */
export type Tool = AnswerOf<Extract<OperatorDefinition, { readonly name: "tools.list" }>>["tools"][number];

/** Tools under the name of what brings them. */
export interface ToolGroup {
  readonly title: string;
  readonly tools: readonly Tool[];
}

/** The tools that hold every word of a search, by what brings them, in the order of the service. */
export function toolGroups(tools: readonly Tool[], search: string): readonly ToolGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const title = titleOf(tool);
    const text = `${title} ${tool.name} ${tool.description}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
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

/** A setting's names with one of them added or taken away; what else is written there stays. */
export function withName(names: readonly string[], name: string, listed: boolean): readonly string[] {
  const others = names.filter((one) => one !== name);
  return listed ? [...others, name] : others;
}
