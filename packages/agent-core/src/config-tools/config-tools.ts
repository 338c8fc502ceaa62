import type { AnyTool, ToolContext } from "@agent-service/plugin-sdk";
import { setConfig } from "./set-config.ts";
import { type ShownSetting, showConfig } from "./show-config.ts";

/** A task of a peer asked for the configuration. */
export class NotTheOperatorsError extends Error {
  override readonly name = "NotTheOperatorsError";
  readonly code = "config.not-the-operators";
}

/** What the tools reach of the host's configuration. */
export interface ConfigToolsOptions {
  /** Every setting in its order, secrets masked; asked at each call. */
  readonly settings: () => readonly ShownSetting[];
  /**
   * Saves settings by full dotted key, all or none, and tells what was done; throws an `Error` whose message is fit for
   * the model. Absent: the model may not change anything (document 3 `tools.self_config_enabled`).
   */
  readonly save?: ((updates: { readonly [key: string]: unknown }) => Promise<readonly string[]>) | undefined;
}

/** `show_config`, and `set_config` where the host lets the model write (document 3 "Introspection", "Opt-in"). */
export function configTools({ settings, save }: ConfigToolsOptions): readonly AnyTool[] {
  const tools = [showConfig(settings), ...(save === undefined ? [] : [setConfig(save)])];
  return tools.map((tool) => ({
    ...tool,
    operatorOnly: true,
    async run(input: unknown, context: ToolContext) {
      // A peer may neither read nor change the configuration (ruling A16).
      if (context.caller.class === "operator") return tool.run(input, context);
      throw new NotTheOperatorsError("the configuration is the operator's; this task is a peer's");
    },
  }));
}
