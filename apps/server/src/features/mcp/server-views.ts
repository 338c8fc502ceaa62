/** What the engine knows of MCP servers, in the words of the operator API. */
import {
  createRedactor,
  type McpCallRow,
  type McpSectionValue,
  type McpServerDetail,
  type McpServerView,
  type McpTestResult,
  type McpToolView,
  mapTexts,
  mcpSection,
  placeholdersOf,
  readMcpServer,
  type ServerTarget,
  takeSecretsOut,
} from "@agent-service/agent-core/host";
import type { McpServerPage, McpServerRow, McpService } from "@agent-service/operator-api";
import { unpinnedWarning } from "../../package-pins/index.ts";
import type { RawServer, Values } from "./declared-server.ts";

/** What placeholders of a server are read from. */
export interface ValueSource {
  readonly secrets: Values;
  readonly environment: { readonly [name: string]: string | undefined };
  isForbidden(name: string): boolean;
}

export function rowOf(view: McpServerView, target: ServerTarget | undefined): McpServerRow {
  const unpinned = target?.transport === "stdio" ? unpinnedWarning(target.command, target.args) : undefined;
  return {
    name: view.name,
    transport: view.transport ?? null,
    enabled: view.enabled,
    state: view.state,
    detail: view.detail ?? null,
    era: view.era ?? null,
    tool_count: view.toolCount,
    held_count: view.heldCount,
    calls_running: view.callsRunning,
    ...(view.pid !== undefined && { pid: view.pid }),
    restarts: view.restarts,
    ...(view.nextAttemptAt !== undefined && { next_attempt_at: new Date(view.nextAttemptAt).toISOString() }),
    auth: view.auth,
    auth_ends_at: view.authEndsAt === undefined ? null : new Date(view.authEndsAt).toISOString(),
    warnings: [...view.warnings, ...(unpinned === undefined ? [] : [unpinned])],
  };
}

export function pageOf(
  detail: McpServerDetail,
  raw: unknown,
  section: McpSectionValue,
  source: ValueSource,
): McpServerPage {
  const read = readMcpServer(raw, section);
  const settings = read.kind === "server" ? read.settings : undefined;
  const row = rowOf(detail, settings?.target);
  const page = { ...row, tools: detail.tools.map(toolOf), log: detail.log };
  if (settings === undefined)
    return { ...page, settings: { name: detail.name, enabled: detail.enabled }, placeholders: [] };
  // A value that somebody wrote into the file itself is shown as the placeholder that a save would leave.
  const { target, secrets } = takeSecretsOut(settings.target);
  const placeholders = placeholdersOf(target, {
    ...source,
    secrets: { ...source.secrets, ...secrets },
    inheritEnv: settings.inheritEnv,
  });
  const shown = target.transport === "stdio" ? { env: target.env } : { headers: target.headers };
  return {
    ...page,
    settings: { ...withoutSecrets(raw as RawServer, section), ...shown },
    placeholders: placeholders.map(({ name, keys, isSet, hasDefault }) => ({
      ...{ name, keys: [...keys], is_set: isSet, has_default: hasDefault },
    })),
  };
}

/** Secrets may be written out in `args` and `url` too. */
function withoutSecrets(settings: RawServer, section: McpSectionValue): RawServer {
  const secrets = mcpSection.secretTexts(section, {});
  return mapTexts(settings, createRedactor({ secrets: () => secrets }).known);
}

export function toolOf({ fullName, inputSchema, changed, ...tool }: McpToolView): McpServerPage["tools"][number] {
  const { kind, name, state, effect, hints, description, digest } = tool;
  return {
    ...{ kind, name, full_name: fullName, state, effect, hints, description, input_schema: inputSchema, digest },
    ...(changed && {
      changed: {
        rejected: changed.rejected,
        is_new: changed.isNew,
        description: changed.description,
        input_schema: changed.inputSchema,
        hints: changed.hints,
      },
    }),
  };
}

export function testOf(result: McpTestResult): Awaited<ReturnType<McpService["test"]>> {
  return result.ok
    ? {
        ...{ ok: true, era: result.era, tools: result.tools.map(toolOf) },
        resources: result.resources.map(({ uri, name, mediaType }) => ({ uri, name, media_type: mediaType })),
      }
    : { ok: false, era: null, tools: [], resources: [], error: result.error };
}

export function callOf(row: McpCallRow): Awaited<ReturnType<McpService["calls"]>>[number] {
  const { callId, taskId, sessionId, tool, outcome, ms, bytes, approxTokens, at, caller, parentCall } = row;
  return {
    ...{ call_id: callId, task_id: taskId, session_id: sessionId, tool, outcome, ms: ms ?? null, bytes },
    ...{ approx_tokens: approxTokens, at: new Date(at).toISOString(), caller },
    ...{ direct: row.isDirect, incognito: row.isIncognito },
    ...(parentCall !== undefined && { parent_call: parentCall }),
  };
}
