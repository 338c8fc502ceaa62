import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../../json/index.ts";

/** What of a server is pinned (M8). */
export type DefinitionKind = "tool" | "prompt";

/** What a server says about a tool. Only what is exactly true or false is kept. */
export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Whether a tool can be called as a task. */
export type TaskSupport = "forbidden" | "optional" | "required";

/** A tool as a server showed it. */
export interface ToolDefinition {
  readonly kind: "tool";
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly hints: ToolHints;
  readonly taskSupport?: TaskSupport;
}

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** A prompt as a server showed it. */
export interface PromptDefinition {
  readonly kind: "prompt";
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

/** A tool or prompt, plain JSON within the bounds of `readDefinitions`. Its texts are as they came. */
export type Definition = ToolDefinition | PromptDefinition;

/** Names exactly this definition: SHA-256 in hex. */
export function definitionDigest(definition: Definition): string {
  return createHash("sha256").update(canonicalJson(definition)).digest("hex");
}
