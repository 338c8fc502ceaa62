/** The tools of the agent, from settings (document 3 "Tool catalogue", `tools`). */
import {
  type AgentCore,
  type AnyTool,
  createEgress,
  generalTools,
  searchHosts,
  webTools,
} from "@agent-service/agent-core";
import { agentConfigTools, createSettingsSaver } from "./configuration/index.ts";
import { derive, type LiveSettings } from "./sections/index.ts";

/** What the tools are over. */
export interface ToolParts {
  readonly live: LiveSettings;
  /** The engine, once it runs. */
  readonly core: () => AgentCore | undefined;
  /** Further tools, after the service's own. */
  readonly further?: readonly AnyTool[] | undefined;
}

/** The tools the service brings, in the order the model is shown them, without those that settings take away. */
export function serviceTools({ live, core, further = [] }: ToolParts): readonly AnyTool[] {
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
  const isOperators = async (taskId: string): Promise<boolean> =>
    (await core()?.service.get(taskId))?.view.class === "operator";
  const { disabled, hidden } = settings.loaded.values.tools;
  return [
    ...generalTools(),
    ...webTools({ egress: pages, search }),
    ...agentConfigTools(live, createSettingsSaver(live), isOperators),
    ...further,
  ].filter(({ name }) => !disabled.includes(name) && !hidden.includes(name));
}
