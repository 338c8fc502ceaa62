import type { Effect } from "@agent-service/plugin-sdk";
import type { ApproveMode } from "../settings/index.ts";
import type { ToolHints } from "./definition.ts";

/** What a call of a tool means (M5). `hints` are the approved ones; what the settings say beats them. */
export function toolEffect(hints: ToolHints, configured: Effect | undefined): Effect {
  if (configured !== undefined) return configured;
  if (hints.readOnlyHint === true) return "pure";
  return hints.idempotentHint === true ? "idempotent" : "effect";
}

/** Whether a person is asked before each call of a tool (M5). */
export function asksBefore(mode: ApproveMode, hints: ToolHints, effect: Effect): boolean {
  switch (mode) {
    case "never":
      return false;
    case "always":
      return true;
    case "marked":
      return hints.destructiveHint === true;
    case "destructive":
      return effect !== "pure" && hints.destructiveHint !== false;
  }
}
