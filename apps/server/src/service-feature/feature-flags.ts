import type { RuntimeStatus } from "@agent-service/operator-api";

/** Every feature of documents 2 and 3 that clients show or hide, built or not (issue 5, "features"). */
export const FEATURE_NAMES = [
  ...["a2a", "chat_completions", "webhooks", "chat", "sessions", "approvals", "subagents", "background", "scheduler"],
  ...["goals", "watches", "tasks", "inbox", "activity", "events", "knowledge", "memory", "skills", "mcp", "plugins"],
  ...["workflows", "files", "code_pane", "editor_handoff", "fleet", "settings", "setup", "secrets_manager"],
  ...["telemetry", "prompts", "tracing", "audit", "theme", "diagnostics", "model_lanes"],
] as const satisfies readonly string[];

/** A feature's name. */
export type FeatureName = (typeof FEATURE_NAMES)[number];

/** The features this build has, and whether each is switched on. One that is not named is not built. */
export type BuiltFeatures = { readonly [TName in FeatureName]?: boolean };

/** All features as the status tells them. */
export function featuresOf(built: BuiltFeatures): RuntimeStatus["features"] {
  return Object.fromEntries(
    FEATURE_NAMES.map((name) => [name, { available: built[name] !== undefined, enabled: built[name] === true }]),
  );
}
