import type { McpTool } from "../server/mcp-types.ts";

/** Which tools of a server are offered: patterns of the server's own names, where `*` matches any characters (M2). */
export interface ToolSelection {
  /** Empty: all. Otherwise only these, whatever `exclude` says. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** What the switch of a tool does. */
export type ToolSwitch =
  | { readonly next: ToolSelection }
  | {
      /** Why it cannot be changed here, one sentence. */
      readonly reason: string;
    };

/** Reads the selection from the settings of a server. */
export function selectionOf(settings: { readonly [key: string]: unknown }): ToolSelection {
  const tools = (settings.tools ?? {}) as { readonly [key: string]: unknown };
  const names = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
  return { include: names(tools.include), exclude: names(tools.exclude) };
}

/** What switches a tool off, or on where it is off. */
export function switchOf({ name, state }: Pick<McpTool, "name" | "state">, selection: ToolSelection): ToolSwitch {
  return state === "off" ? switchOn(name, selection) : switchOff(name, selection);
}

function switchOff(name: string, { include, exclude }: ToolSelection): ToolSwitch {
  if (include.length === 0) return { next: { include, exclude: [...exclude, name] } };
  const rest = without(include, name);
  const pattern = patternFor(name, rest);
  if (pattern !== undefined) return { reason: `tools.include has it by the pattern ${pattern}.` };
  // An empty list would include all of them.
  return { next: rest.length === 0 ? { include: [], exclude: ["*"] } : { include: rest, exclude } };
}

function switchOn(name: string, { include, exclude }: ToolSelection): ToolSwitch {
  if (include.length > 0) {
    if (patternFor(name, include) !== undefined) return DENIED;
    return { next: { include: [...include, name], exclude: without(exclude, name) } };
  }
  const rest = without(exclude, name);
  const pattern = patternFor(name, rest);
  if (pattern === "*") return { next: { include: [name], exclude: rest } };
  if (pattern !== undefined) return { reason: `tools.exclude leaves it out by the pattern ${pattern}.` };
  return rest.length === exclude.length ? DENIED : { next: { include, exclude: rest } };
}

/** Of what a server's own settings allow, only this list takes out more. */
const DENIED: ToolSwitch = { reason: "mcp.denylist leaves it out." };

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((one) => one !== name);
}

function patternFor(name: string, patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => fits(name, pattern));
}

/** Whether a name fits a pattern, in time that grows with the name alone: what is between stars is looked for once. */
function fits(name: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from + last.length <= name.length;
}
