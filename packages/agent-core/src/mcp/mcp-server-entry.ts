import type { JsonObject } from "../json/index.ts";
import type { ServerCalls } from "./call/index.ts";
import type { ManagedServer, RequestAuthorization } from "./connection/index.ts";
import type { PinnedDefinition, PromptDefinition } from "./definition/index.ts";
import { isRejected, isResourceTool, isWaiting } from "./definition/index.ts";
import type { McpEra, McpServerDetail, McpServerView, McpToolView } from "./mcp-server-view.ts";
import { type PlaceholderSource, targetWarnings } from "./placeholder/index.ts";
import type { PromptRow } from "./prompt/index.ts";
import type { ServerTarget } from "./server-target.ts";
import type { McpServerEntry } from "./settings/index.ts";
import { authorizationOf, type ServerSignIn } from "./sign-in/index.ts";
import type { ToolCalls, ToolParts, ToolRow } from "./tool/index.ts";

/** A configured server while the service runs. */
export interface RunningEntry {
  readonly entry: McpServerEntry;
  /** Undefined: it is switched off, or its entry cannot be used. */
  readonly server: ManagedServer | undefined;
  /** Undefined: it is not signed in to. */
  readonly signIn: ServerSignIn | undefined;
  readonly calls: ServerCalls;
  /** Of the tools that read its resources. */
  readonly resources: ToolCalls;
  /** Of connections before this one. */
  readonly restartsBefore: number;
  readonly secrets: PlaceholderSource["secrets"];
  /** What was left out of its lists. */
  readonly listWarnings: readonly string[];
}

/** What is known of an entry's definitions. */
export interface EntryDefinitions {
  readonly pins: readonly PinnedDefinition[];
  readonly rows: readonly ToolRow[];
  readonly prompts: readonly PromptRow[];
  /** Of an earlier connection. */
  readonly era: McpEra | undefined;
}

/** Whether an entry is switched on by itself. */
export function isEntryEnabled(entry: McpServerEntry): boolean {
  return entry.kind === "server" ? entry.settings.enabled : entry.enabled;
}

function stateOf({ entry, server }: RunningEntry): Pick<McpServerView, "state" | "detail"> {
  if (server !== undefined) return { state: server.state, detail: server.detail };
  return entry.kind === "misconfigured" && entry.enabled
    ? { state: "misconfigured", detail: entry.problem }
    : { state: "disabled", detail: undefined };
}

function authOf({ server, signIn }: RunningEntry): Pick<McpServerView, "auth" | "authEndsAt"> {
  const state = signIn?.state ?? "none";
  if (server?.state === "needs_auth") return { auth: state === "expired" ? "expired" : "needed" };
  if (signIn?.isLacking === true) return { auth: "needed" };
  const endsAt = signIn?.endsAt;
  return { auth: state, ...(endsAt !== undefined && { authEndsAt: endsAt }) };
}

/** A server as operators see it. */
export function viewOf(running: RunningEntry, { pins, rows, era }: EntryDefinitions): McpServerView {
  const { entry, server, restartsBefore, secrets, listWarnings } = running;
  const settings = entry.kind === "server" ? entry.settings : undefined;
  const own =
    settings === undefined ? [] : [...settings.warnings, ...targetWarnings(settings.target, Object.keys(secrets))];
  return {
    ...{ name: entry.name, enabled: isEntryEnabled(entry), ...stateOf(running) },
    transport: settings?.target.transport,
    era: server?.era ?? era,
    toolCount: server === undefined ? 0 : rows.filter(({ offered }) => offered !== undefined).length,
    heldCount: pins.filter(isWaiting).length,
    callsRunning: server?.callsRunning ?? 0,
    pid: server?.pid,
    restarts: restartsBefore + (server?.restarts ?? 0),
    nextAttemptAt: server?.nextAttemptAt,
    ...authOf(running),
    warnings: [...own, ...listWarnings],
  };
}

/** A tool of a server as operators see it. */
export function toolViewOf({ pin, fullName, state, effect }: ToolRow): McpToolView | undefined {
  const definition = pin.approved ?? pin.seen;
  if (definition?.kind !== "tool") return undefined;
  const { seen } = pin;
  return {
    ...{ kind: "tool", name: pin.name, fullName, state, effect, digest: pin.digest },
    ...{ hints: definition.hints, description: definition.description, inputSchema: definition.inputSchema },
    ...(seen?.kind === "tool" && {
      changed: {
        ...{ rejected: isRejected(pin), isNew: pin.approved === undefined },
        ...{ description: seen.description, inputSchema: seen.inputSchema, hints: seen.hints },
      },
    }),
  };
}

/** A prompt of a server as operators see it; its arguments are those of its command. */
export function promptViewOf({ pin, command, state }: PromptRow): McpToolView | undefined {
  const definition = pin.approved ?? pin.seen;
  if (definition?.kind !== "prompt") return undefined;
  const { seen } = pin;
  return {
    ...{ kind: "prompt", name: pin.name, fullName: command, state, effect: "pure", hints: {}, digest: pin.digest },
    ...{ description: definition.description, inputSchema: argumentsSchema(definition) },
    ...(seen?.kind === "prompt" && {
      changed: {
        ...{ rejected: isRejected(pin), isNew: pin.approved === undefined, hints: {} },
        ...{ description: seen.description, inputSchema: argumentsSchema(seen) },
      },
    }),
  };
}

function argumentsSchema({ arguments: listed }: PromptDefinition): JsonObject {
  const properties = listed.map(({ name, description }): [string, JsonObject] => [
    name,
    { type: "string", ...(description !== undefined && { description }) },
  ]);
  const required = listed.flatMap((argument) => (argument.required ? [argument.name] : []));
  return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** A server with its tools and its log. */
export function detailOf(running: RunningEntry, definitions: EntryDefinitions): McpServerDetail {
  return {
    ...viewOf(running, definitions),
    tools: [
      ...definitions.rows.flatMap((row) => toolViewOf(row) ?? []),
      ...definitions.prompts.flatMap((row) => promptViewOf(row) ?? []),
    ],
    log: running.server?.log ?? [],
  };
}

/** The sign-in of a saved server, for a trial that reaches it as it is saved: its token goes nowhere else (MC5). */
export function authorizationFor(
  running: RunningEntry | undefined,
  target: ServerTarget,
): RequestAuthorization | undefined {
  if (running?.signIn === undefined || running.entry.kind !== "server") return undefined;
  const isSame = JSON.stringify(running.entry.settings.target) === JSON.stringify(target);
  return isSame ? authorizationOf(running.signIn) : undefined;
}

/** What the tools of a server are made of; none while it is not connected to. */
export function partsOf(
  { entry, server, calls, resources }: RunningEntry,
  rows: readonly ToolRow[],
): readonly ToolParts[] {
  if (entry.kind !== "server" || server === undefined) return [];
  const { name: owner, approve, federation } = entry.settings;
  return rows.flatMap(({ fullName, effect, offered }) => {
    if (offered === undefined) return [];
    const made = { server: owner, name: fullName, definition: offered, effect, approve, federation };
    // Which resources there are matters to few turns.
    return [isResourceTool(offered) ? { ...made, calls: resources, deferred: true } : { ...made, calls }];
  });
}
