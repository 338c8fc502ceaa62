import type { AnyTool } from "@agent-service/plugin-sdk";
import { setConfig } from "./set-config.ts";
import { type ShownSetting, showConfig } from "./show-config.ts";

export interface ConfigToolsOptions {
  /** Every setting in its order, secrets masked; asked at each call. */
  readonly settings: () => readonly ShownSetting[];
  /**
   * Saves settings by full dotted key, all or none, and returns what was changed; throws an `Error` whose message is meant
   * for the model. Absent: the model may not change anything (B58 `tools.self_config_enabled`).
   */
  readonly save?: ((updates: { readonly [key: string]: unknown }) => Promise<readonly string[]>) | undefined;
}

/**
 * `show_config`, and `set_config` where the host lets the model write (B89). Peers have
 * neither: they may not read the configuration (A16).
 */
export function configTools({ settings, save }: ConfigToolsOptions): readonly AnyTool[] {
  return [showConfig(settings), ...(save === undefined ? [] : [setConfig(save)])];
}
