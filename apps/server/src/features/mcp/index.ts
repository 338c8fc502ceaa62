import {
  auditLog,
  type Clock,
  mcpServers as engineFeature,
  isForbiddenVariable,
  sessions,
} from "@agent-service/agent-core/host";
import { toolCaller } from "../../direct-calls/index.ts";
import { exposedEntries } from "../../exposed-tools/index.ts";
import { notedRefusal } from "../../logging/index.ts";
import { defineServiceFeature, type ServiceHost } from "../../service-feature/index.ts";
import { createSettingsSaver, ENVIRONMENT_VARIABLES } from "../../settings/index.ts";
import { clientDocumentAt } from "../../surfaces/mcp/index.ts";
import { auditNotes } from "./audit-notes.ts";
import { mcpService } from "./mcp-service.ts";
import { savedGrants } from "./saved-grants.ts";
import { savedServers } from "./saved-servers.ts";

const OWNED: ReadonlySet<string> = new Set(ENVIRONMENT_VARIABLES.map(({ name }) => name));

/** Milliseconds that belong to the first requests: loading the client and starting programs takes the processor from them. */
const FIRST_REQUESTS_MS = 250;

/** Tools of other programs and services, over the Model Context Protocol, and what operators do with them. */
export const mcp = defineServiceFeature({
  engine: ({ live, settings, logging, version, answering, clock }) =>
    engineFeature({
      connectAfter: answering.then(() => wait(clock, FIRST_REQUESTS_MS)),
      version,
      ...variablesOf({ live, settings }),
      onRefused: notedRefusal(logging.debug, "MCP servers"),
      saveGrant: savedGrants(settings, createSettingsSaver(live)),
      clientDocument: () => clientDocumentAt(settings.environment.publicUrl),
    }),
  services(operations, { live, settings, core, clock, opened, redact }) {
    const audit = auditNotes(opened(auditLog), settings);
    operations.onUnasked(audit.unasked);
    return {
      mcp: mcpService({
        ...{ operations, audit },
        saved: savedServers(settings, createSettingsSaver(live), audit),
        exposed: () => ({
          settings: settings.mcp.expose,
          entries: exposedEntries(settings.mcp.expose, core.toolbox),
        }),
        environment: variablesOf({ live, settings }),
        publicUrl: () => settings.environment.publicUrl,
        replays: {
          ...{ toolbox: core.toolbox, redact },
          call: toolCaller({ calls: core.directCalls, tasks: core.service, sessions: opened(sessions).catalog, clock }),
        },
      }),
    };
  },
  flags: ({ settings }) => ({ mcp: settings.mcp.enabled }),
});

/** The service's variables, and which of them no server gets. */
function variablesOf({ live, settings }: Pick<ServiceHost, "live" | "settings">) {
  return {
    environment: live.options.env,
    isForbidden: (name: string) => isForbiddenVariable(name, { agentName: settings.identity.name, owned: OWNED }),
  };
}

function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.setTimeout(resolve, ms, { background: true }));
}
