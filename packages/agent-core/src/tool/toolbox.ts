/** The tools an agent has, prepared once: found by name, shown to the model as JSON Schema. */
import type { AnyTool } from "@agent-service/plugin-sdk";
import type { ModelTool } from "../model/index.ts";
import { toModelTool } from "./tool-schema.ts";

/** Names a provider accepts for a tool. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool that cannot be registered. `code` is stable. */
export class ToolRegistrationError extends Error {
  override readonly name = "ToolRegistrationError";
  readonly code: "bad_tool_name" | "duplicate_tool";
  constructor(code: "bad_tool_name" | "duplicate_tool", message: string) {
    super(message);
    this.code = code;
  }
}

/** The tools of an agent. */
export interface Toolbox {
  get(name: string): AnyTool | undefined;
  /** Names, in order of registration. */
  readonly names: readonly string[];
  /** What the model is shown; the same array every time, so that the prompt's prefix stays the same bytes. */
  readonly shown: readonly ModelTool[];
  /** Characters of `shown`, about as many as its text takes of a request. */
  readonly shownChars: number;
}

/** Prepares tools. @throws ToolRegistrationError for a name no provider takes or one used twice */
export function createToolbox(tools: readonly AnyTool[], warn?: (message: string) => void): Toolbox {
  const byName = new Map<string, AnyTool>();
  for (const tool of tools) {
    if (!TOOL_NAME.test(tool.name)) {
      throw new ToolRegistrationError(
        "bad_tool_name",
        `tool name ${JSON.stringify(tool.name)} is not ${TOOL_NAME.source}`,
      );
    }
    if (byName.has(tool.name)) throw new ToolRegistrationError("duplicate_tool", `two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }
  const shown = tools.map((tool) => toModelTool(tool, warn));
  return {
    get: (name) => byName.get(name),
    names: [...byName.keys()],
    shown,
    shownChars: shown.length === 0 ? 0 : JSON.stringify(shown).length,
  };
}
