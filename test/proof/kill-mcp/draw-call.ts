/** Calls of MCP tools in a trial. */
import type { Random } from "../random.ts";
import { LYING_TOOLS } from "./lying-tasks.ts";

/** Tools of a server that lies about its tasks: how a call of them ended may stay unknown. */
export const LIED_ABOUT_TOOLS = LYING_TOOLS.map((name) => `lies__${name}`);
/** Tools whose form is lost with the process that was asked, and with it what became of the call (M7). */
export const HELD_TOOLS: readonly string[] = ["counted__sign", "older__sign"];
const HONEST_TOOLS = ["counted__post", "remote__post", "remote__letter", "works__print", "works__poster"] as const;
/** Tools whose calls are sent once: effects, some behind forms, some tasks of their server. */
export const ONCE_TOOLS: readonly string[] = [...HONEST_TOOLS, ...HELD_TOOLS, ...LIED_ABOUT_TOOLS];
/** Tools that may be sent again: nothing that they do is done twice. */
export const AGAIN_TOOLS = ["counted__put", "remote__reserve"] as const;

/** A line of a script that calls one of them. */
export function drawMcpCall(random: Random, token: string): string {
  const aside = random.fork(`${token} aside`);
  const kind = aside.next();
  const tool = random.pick([...HONEST_TOOLS, ...AGAIN_TOOLS, "remote__reserve", "counted__post"] as const);
  const drawn = kind < 0.1 ? aside.pick(LIED_ABOUT_TOOLS) : kind < 0.25 ? aside.pick(HELD_TOOLS) : tool;
  return `/call ${drawn} ${JSON.stringify({ token: `mcp-${token}`, ms: random.int(0, 25) })}`;
}
