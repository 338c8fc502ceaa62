/** The tools of the agent and what decides about them, from settings (document 3 "Tool catalogue", `tools`, `enforcement`). */
import {
  type AgentCore,
  ALWAYS_SHOWN,
  type AnyTool,
  boardTools,
  createEgress,
  type Delegations,
  type EnforcementSettings,
  generalTools,
  type IssueBoard,
  inboxTools,
  SEARCH_TOOLS,
  searchHosts,
  searchTools,
  type ToolPolicy,
  waitTool,
  webTools,
} from "@agent-service/agent-core";
import { agentConfigTools, createSettingsSaver } from "./configuration/index.ts";
import type { ToolGroup } from "./operator/index.ts";
import { derive, type LiveSettings, type ServerSettings } from "./sections/index.ts";

/** What the tools are over. */
export interface ToolParts {
  readonly live: LiveSettings;
  /** The engine, once it runs. */
  readonly core: () => AgentCore | undefined;
  readonly board: IssueBoard;
  readonly delegations: Pick<Delegations, "tools">;
  /** Further tools, after the service's own. */
  readonly further?: readonly AnyTool[] | undefined;
}

/** Every tool there is, in the order the model is shown them, by the subsystem that brings it. */
export function serviceTools({ live, core, board, delegations, further = [] }: ToolParts): readonly ToolGroup[] {
  const { settings } = live;
  const pages = derive(
    () => [settings.egress],
    ({ allowed_hosts }) => createEgress({ allowedHosts: allowed_hosts }),
  );
  const search = derive(
    () => [settings.egress, settings.webSearch],
    ({ allowed_hosts }, webSearch) => ({
      settings: webSearch,
      egress: createEgress({ allowedHosts: [...allowed_hosts, ...searchHosts(webSearch)] }),
    }),
  );
  const classOf = async (taskId: string): Promise<string | undefined> =>
    (await core()?.service.get(taskId))?.view.class;
  const isOperators = async (taskId: string): Promise<boolean> => (await classOf(taskId)) === "operator";
  // What a search finds in a peer's task is what that task has.
  const toolboxFor = async (taskId: string) =>
    (await isOperators(taskId)) ? core()?.toolbox : core()?.toolbox.forPeers;
  return [
    { category: "general", source: "core", tools: generalTools() },
    { category: "web", source: "core", tools: webTools({ egress: pages, search }) },
    {
      category: "configuration",
      source: "core",
      tools: agentConfigTools(live, createSettingsSaver(live), isOperators),
    },
    { category: "tasks", source: "core", tools: boardTools({ board, isOperators }) },
    { category: "inbox", source: "core", tools: inboxTools({ inbox: () => core()?.inbox, isOperators }) },
    { category: "scheduling", source: "core", tools: [waitTool({ timers: () => core()?.timers, classOf })] },
    { category: "delegation", source: "core", tools: delegations.tools },
    { category: "tools", source: "core", tools: [searchTools(toolboxFor)] },
    { category: "plugin", source: "plugin", tools: further },
  ];
}

/** Which of the tools the agent has, by the settings of the moment (document 3 `tools`). */
export function toolPolicy(settings: ServerSettings): () => ToolPolicy {
  const schedules = () => settings.middleware.scheduler && !settings.environment.schedulerDisabled;
  return derive(() => [settings.tools, schedules()], policyOf);
}

function policyOf(
  { disabled, hidden, deferred, self_config_enabled }: ServerSettings["tools"],
  schedules: boolean,
): ToolPolicy {
  const off = [
    ...(self_config_enabled ? [] : ["set_config"]),
    ...(deferred.enabled ? [] : [SEARCH_TOOLS]),
    ...(schedules ? [] : ["wait"]),
  ];
  const keep = [SEARCH_TOOLS, ...(deferred.keep.length === 0 ? ALWAYS_SHOWN : deferred.keep)];
  return { dropped: [...disabled, ...hidden, ...off], ...(deferred.enabled && { deferred: { keep } }) };
}

/** What is checked before a tool runs, by the settings of the moment (document 3 `enforcement`). */
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
