import { homedir } from "node:os";
import { join } from "node:path";
import { jsonInput } from "@agent-service/plugin-sdk";
import { delegation } from "../delegation/index.ts";
import { createEgress, type EgressErrorCode, egressSection } from "../egress/index.ts";
import { isTerminalState, type TaskView } from "../event/index.ts";
import { defineFeature } from "../feature/index.ts";
import { projectsSection } from "../fence/index.ts";
import { routingSection } from "../model/index.ts";
import type { Environment } from "../process/index.ts";
import { DefinitionPins } from "./definition/index.ts";
import { mcpSection } from "./mcp-section.ts";
import { McpServers } from "./mcp-servers.ts";
import { Sampler, samplingRoles } from "./offer/index.ts";
import { Renewals, readGrant } from "./sign-in/index.ts";
import { ProgramTransport } from "./stdio/index.ts";

/** What MCP servers need of the service. */
export interface McpFeatureOptions {
  /** The service's own variables. */
  readonly environment: Environment;
  /** Whether a variable is kept from servers: see `isForbiddenVariable`. */
  isForbidden(name: string): boolean;
  /** Of the service, as servers are shown it. */
  readonly version: string;
  readonly onRefused?: (code: EgressErrorCode) => void;
  /** Keeps a grant of a server in `mcp.oauth`, as text; undefined: takes it out. Durable, and read back, when it resolves. */
  saveGrant(server: string, text: string | undefined): Promise<void>;
  /** The address at which `/.well-known/mcp-client.json` is served to everyone; undefined: it has none. */
  clientDocument(): string | undefined;
  /** Servers are connected once this resolves, or at the first call of each. Default: with the engine's start. */
  readonly connectAfter?: Promise<unknown>;
}

/** MCP servers: their connections, which start behind the open port, and their tools. */
export function mcpServers(options: McpFeatureOptions) {
  const { environment, isForbidden, version, onRefused, saveGrant, clientDocument, connectAfter } = options;
  // For the trace of a call: a tool knows its task's id only.
  const running = new Map<string, Readonly<TaskView>>();
  return defineFeature({
    name: "mcp",
    source: "mcp",
    needs: [delegation],
    sections: [mcpSection, egressSection, projectsSection, routingSection],
    topics: ["mcp.server_changed", "mcp.definitions_held", "mcp.tools_changed"],
    async open(engine, { settings, needs }) {
      const { db, clock, log, redactor, bus, processes } = engine;
      const egressFor = (url: string) =>
        createEgress({
          allowedHosts: [new URL(url).hostname, ...settings.egress.allowed_hosts],
          ...(onRefused !== undefined && { onRefused }),
        });
      return new McpServers({
        signIn: {
          ...{ egressFor, clientDocument, listeners: new Set() },
          renewalsOf: renewalsByServer(),
          grants: {
            read: (server) =>
              readGrant(Object.hasOwn(settings.mcp.oauth, server) ? settings.mcp.oauth[server] : undefined),
            save: (server, grant) => saveGrant(server, grant && JSON.stringify(grant)),
          },
        },
        ...{ clock, log, redactor, bus, db, environment, isForbidden, version, inputOf: jsonInput },
        sampler: new Sampler({
          engine,
          bill: (view) => needs.delegation.bill(view),
          auxModel: () => settings.routing.aux_model,
          redact: (text) => redactor.known(text),
        }),
        pins: await DefinitionPins.open(db),
        settings: () => settings.mcp,
        writable: () => settings.projects.flatMap(({ path, write }) => (write ? [absolute(path)] : [])),
        source: {
          egressFor: ({ url }) => egressFor(url),
          stdio: (server, target, events) => new ProgramTransport({ processes, server, target, events }),
        },
        traceparent(task, call) {
          const view = running.get(task);
          return view === undefined ? undefined : engine.traceparent(view, call);
        },
      });
    },
    tools: (servers) => () => servers.tools(),
    commands: (servers) => () => servers.commands(),
    roles: () => samplingRoles(),
    onCommit(servers, view) {
      if (!isTerminalState(view.state)) running.set(view.id, view);
      else if (running.delete(view.id))
        // A task of a server that is not canceled ends by itself; a store that fails is seen by whoever commits next.
        servers.endTask(view.id, view.state === "completed").catch(() => {});
    },
    start(servers) {
      if (connectAfter === undefined) servers.start();
      else void connectAfter.then(() => servers.start());
    },
    tick: (servers) => servers.follow(),
    drain: (servers) => servers.stop(),
    close: (servers) => servers.stop(),
  });
}

/** Renewals by the name of a server, made as they are asked for: names are few. */
function renewalsByServer(): (server: string) => Renewals {
  const made = new Map<string, Renewals>();
  return (server) => {
    const renewals = made.get(server) ?? new Renewals();
    made.set(server, renewals);
    return renewals;
  };
}

/** A project's folder: `~` is the user's home. */
function absolute(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
