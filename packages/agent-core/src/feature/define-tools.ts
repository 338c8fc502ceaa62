import type { AnyTool } from "@agent-service/plugin-sdk";
import type { LiveTools, ToolSource } from "../tool/index.ts";
import type { Engine } from "./engine.ts";
import { defineFeature } from "./feature.ts";

/** Defines a feature that is nothing but tools. `tools` is called once, when the feature opens. */
export function defineTools<const Name extends string>(
  name: Name,
  tools: (engine: Engine) => readonly AnyTool[] | LiveTools,
  listed: { readonly category?: string; readonly source?: ToolSource } = {},
) {
  return defineFeature({ name, ...listed, open: tools, tools: (opened) => opened });
}
