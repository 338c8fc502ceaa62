/** The settings of the agent's tools (B58 `tools`, `enforcement`). */
import {
  ALWAYS_SHOWN,
  commandsOff,
  type EnforcementSettings,
  FILE_TOOLS,
  hasEditor,
  ONBOARDING_TOOLS,
  type SandboxState,
  SEARCH_TOOLS,
  type ToolPolicy,
} from "@agent-service/agent-core/host";
import { derive, type ServerSettings } from "../settings/index.ts";

/** Tools that are shown before those of plugins and MCP servers are withheld, where no setting says whether. */
export const MOST_SHOWN_TOOLS = 128;

/** The tools that the agent has, by the current settings (B58 `tools`). */
export function toolPolicy(
  settings: ServerSettings,
  sandbox: () => SandboxState | undefined = () => undefined,
): () => ToolPolicy {
  const schedules = () => settings.middleware.scheduler && !settings.environment.schedulerDisabled;
  const reachesFiles = () => settings.fence.projects.some(({ fs }) => fs !== false);
  const onboards = () => settings.filesystem.enabled && settings.onboarding.enabled;
  const runs = () => commandsOff(settings.filesystem, sandbox()) === undefined;
  const opens = () => hasEditor(settings.filesystem);
  const shows = () => settings.filesystem.code_pane;
  const watches = () => settings.watches.enabled;
  return derive(
    () => [
      ...([settings.tools, schedules(), reachesFiles(), onboards(), runs(), opens()] as const),
      ...([settings.execute_code.enabled, shows(), watches(), settings.goal.enabled] as const),
    ],
    policyOf,
  );
}

function policyOf(
  { disabled, hidden, deferred, self_config_enabled }: ServerSettings["tools"],
  schedules: boolean,
  reachesFiles: boolean,
  onboards: boolean,
  runs: boolean,
  opens: boolean,
  scripts: boolean,
  shows: boolean,
  watches: boolean,
  goals: boolean,
): ToolPolicy {
  const off = [
    ...(self_config_enabled ? [] : ["set_config"]),
    ...(deferred.enabled === false ? [SEARCH_TOOLS] : []),
    ...(schedules ? [] : ["wait", "schedule_task", "list_schedules", "cancel_schedule"]),
    ...(reachesFiles ? [] : FILE_TOOLS),
    ...(onboards ? [] : ONBOARDING_TOOLS),
    ...(runs ? [] : ["run_command"]),
    ...(opens ? [] : ["open_in_editor"]),
    ...(scripts ? [] : ["execute_code"]),
    ...(shows ? [] : ["show_code"]),
    ...(goals ? [] : ["set_goal", "update_goal_plan", "abandon_goal"]),
    ...(goals || watches ? [] : ["list_verifiers"]),
    ...(watches ? [] : ["create_watch", "list_watches", "update_watch", "clear_watch"]),
  ];
  const keep = [SEARCH_TOOLS, ...(deferred.keep.length === 0 ? ALWAYS_SHOWN : deferred.keep)];
  const dropped = [...disabled, ...hidden, ...off];
  if (deferred.enabled === undefined) return { dropped, withholdAbove: MOST_SHOWN_TOOLS };
  return { dropped, ...(deferred.enabled && { deferred: { keep } }) };
}

/** The checks before a tool runs, by the current settings (B54 `enforcement`). */
export function enforcementSettings(settings: ServerSettings): () => EnforcementSettings {
  return derive(
    () => [settings.enforcement, settings.middleware.enforcement],
    (section, enabled) => ({
      disallowed: enabled ? section.disallowed_tools : [],
      rateLimits: enabled ? rateLimitsOf(section) : {},
      requireApproval: section.require_approval,
    }),
  );
}

function rateLimitsOf({ rate_limits }: ServerSettings["enforcement"]): EnforcementSettings["rateLimits"] {
  return Object.fromEntries(
    Object.entries(rate_limits).map(([tool, { max, window_seconds }]) => [
      tool,
      { max, windowMs: window_seconds * 1000 },
    ]),
  );
}
