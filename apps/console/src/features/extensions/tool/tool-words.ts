import type { McpTool } from "../server/mcp-types.ts";

/** What calling a tool does, and what that means for a call whose outcome is unknown (R3). */
export const EFFECTS: { readonly [TEffect in McpTool["effect"]]: { readonly label: string; readonly hint: string } } = {
  pure: { label: "Only reads", hint: "A call that was lost is made again." },
  idempotent: { label: "Safe to repeat", hint: "A call that was lost is made again." },
  effect: { label: "Changes things", hint: "A call is never made twice without a person." },
};

const CHARACTERS_PER_TOKEN = 4;

/** About how many tokens the model reads of a tool. An estimate: each model counts its own way. */
export function tokensOf({
  full_name,
  description,
  input_schema,
}: Pick<McpTool, "full_name" | "description" | "input_schema">): number {
  const text = JSON.stringify({ name: full_name, description, parameters: input_schema });
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
