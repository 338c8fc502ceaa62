/** Calls of MCP tools in a trial. */
import type { Random } from "../random.ts";

/** Tools whose calls are sent once: an effect, an effect behind a form, and two that are tasks of their server. */
export const ONCE_TOOLS = ["counted__post", "remote__post", "remote__letter", "works__print", "works__poster"] as const;
/** Tools that may be sent again: nothing that they do is done twice. */
export const AGAIN_TOOLS = ["counted__put", "remote__reserve"] as const;

/** A line of a script that calls one of them. */
export function drawMcpCall(random: Random, token: string): string {
  const tool = random.pick([...ONCE_TOOLS, ...AGAIN_TOOLS, "remote__reserve", "counted__post"] as const);
  return `/call ${tool} ${JSON.stringify({ token: `mcp-${token}`, ms: random.int(0, 25) })}`;
}
