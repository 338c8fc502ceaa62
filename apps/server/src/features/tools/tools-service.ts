import { type AgentEngine, nameMatcher } from "@agent-service/agent-core/host";
import type { ToolsService } from "@agent-service/operator-api";
import type { ServerSettings } from "../../settings/index.ts";

/** The sources of the inventory, read at each request. */
export interface ToolsServiceParts {
  readonly core: Pick<AgentEngine, "toolbox" | "toolGroups" | "enforcement">;
  readonly settings: Pick<ServerSettings, "tools">;
}

/** The inventory of tools, without calling them (B35 `GET /api/tools`). */
export function toolsInventory({ core, settings }: ToolsServiceParts): Pick<ToolsService, "list"> {
  return {
    list() {
      const { disabled, hidden } = settings.tools;
      const isHidden = nameMatcher(hidden);
      const { toolbox } = core;
      const enforcement = core.enforcement();
      const tools = core.toolGroups.flatMap(({ category, source, tools: own }) =>
        own
          .filter(({ name }) => isHidden?.(name) !== true)
          .map(({ name, description, availableTo }) => ({
            name,
            description: description.split("\n", 1)[0] ?? "",
            source,
            category,
            enabled: toolbox.get(name) !== undefined,
            deferred: toolbox.withheld?.has(name) === true,
            blocked: enforcement?.blocks(name) === true,
            operator_only: availableTo !== undefined && !availableTo.includes("peers"),
            requires_approval: enforcement?.asksFirst(name) === true,
          })),
      );
      return { tools, count: tools.filter(({ enabled }) => enabled).length, disabled };
    },
  };
}
