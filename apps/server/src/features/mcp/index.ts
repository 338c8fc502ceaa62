import { mcpServers as engineFeature, isForbiddenVariable } from "@agent-service/agent-core/host";
import { notedRefusal } from "../../logging/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { ENVIRONMENT_VARIABLES } from "../../settings/index.ts";

const OWNED: ReadonlySet<string> = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));

/** Tools of other programs and services, over the Model Context Protocol. */
export const mcp = defineServiceFeature({
  engine: ({ live, settings, logging, version }) =>
    engineFeature({
      version,
      environment: live.options.env,
      isForbidden: (name) => isForbiddenVariable(name, { agentName: settings.identity.name, owned: OWNED }),
      onRefused: notedRefusal(logging.debug, "MCP servers"),
    }),
});
