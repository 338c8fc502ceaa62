import type { Effect } from "@agent-service/plugin-sdk";
import { isWaiting, offeredTool, type PinnedDefinition, type ToolDefinition, toolEffect } from "../definition/index.ts";
import { configuredEffect, toolFilter } from "../names/index.ts";
import type { McpServerSettings } from "../settings/index.ts";
import { definitionNames } from "./definition-names.ts";

/** A server and what is known of its definitions. */
export interface PinnedServer {
  readonly settings: Pick<McpServerSettings, "name" | "include" | "exclude" | "effects">;
  readonly pins: readonly PinnedDefinition[];
}

/** A tool of a server with what the settings and its pin make of it. */
export interface ToolRow {
  readonly pin: PinnedDefinition;
  /** The name that the model is shown. */
  readonly fullName: string;
  /**
   * - `on`: turns have it.
   * - `off`: settings leave it out.
   * - `held`: it waits for the operator, or was rejected and cannot be used as it was approved.
   * - `gone`: the server does not show it now.
   */
  readonly state: "on" | "off" | "held" | "gone";
  readonly effect: Effect;
  /** What turns have of it: also of a held one of which only prose or hints changed. */
  readonly offered: ToolDefinition | undefined;
}

/** The tools of all servers, by server. */
export function toolRows(
  servers: readonly PinnedServer[],
  denylist: readonly string[],
): ReadonlyMap<string, readonly ToolRow[]> {
  const names = definitionNames(servers, "tool");
  return new Map(servers.map((server) => [server.settings.name, rowsOf(server, names, denylist)]));
}

function rowsOf(
  { settings, pins }: PinnedServer,
  names: ReadonlyMap<PinnedDefinition, string>,
  denylist: readonly string[],
): readonly ToolRow[] {
  const { include, exclude, effects } = settings;
  const fits = toolFilter({ include, exclude, denylist });
  const configured = configuredEffect(effects);
  return pins.flatMap((pin): readonly ToolRow[] => {
    const fullName = names.get(pin);
    const definition = pin.approved ?? pin.seen;
    if (fullName === undefined || definition?.kind !== "tool") return [];
    const effect = toolEffect(definition.hints, configured(pin.name));
    const isOff = !fits(pin.name, fullName);
    const offered = isOff ? undefined : offeredTool(pin);
    return [{ pin, fullName, state: stateOf(pin, isOff, offered), effect, offered }];
  });
}

function stateOf(pin: PinnedDefinition, isOff: boolean, offered: ToolDefinition | undefined): ToolRow["state"] {
  if (pin.state === "gone") return "gone";
  if (isOff) return "off";
  return offered === undefined || isWaiting(pin) ? "held" : "on";
}
