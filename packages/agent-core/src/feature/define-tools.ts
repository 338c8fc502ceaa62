import type { AnyTool } from "@agent-service/plugin-sdk";
import type { Engine } from "./engine.ts";
import { defineFeature, type ToolSource } from "./feature.ts";

/** Defines a feature that is nothing but tools. `tools` is called once, when the feature opens. */
export function defineTools<const Name extends string>(
  name: Name,
  tools: (engine: Engine) => readonly AnyTool[],
  listed: { readonly category?: string; readonly source?: ToolSource } = {},
) {
  return defineFeature({ name, ...listed, open: tools, tools: (opened) => opened });
}
