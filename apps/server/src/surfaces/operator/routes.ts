/** The operator API, `/api/*`, over the services of the features. */
import {
  createIdempotencyStore,
  featureKey,
  fileChanges,
  files,
  type Goals,
  JSON_LIMITS,
  type McpOperations,
  type McpServers,
  type OpenKnowledge,
  parseJson,
  readInstanceUid,
  type Schedules,
  type SkillLibrary,
  systemClock,
  unstorablePath,
  type Watches,
  type Webhooks,
} from "@agent-service/agent-core/host";
import {
  createIdempotency,
  createOperatorApi,
  type OperatorFeatures,
  type OperatorRoute,
  type OperatorServices,
  type RoutePorts,
  type RuntimeStatus,
} from "@agent-service/operator-api";
import { maxBodyBytes } from "../../access/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { instanceUid } from "./instance-uid.ts";
import { refusalOf } from "./refusal-of.ts";
import { runtimeService } from "./runtime-status.ts";

const goal = featureKey<"goal", { readonly goals: Goals }>("goal");
const knowledge = featureKey<"knowledge", OpenKnowledge>("knowledge");
const mcp = featureKey<"mcp", McpServers>("mcp");
const schedule = featureKey<"schedule", { readonly schedules: Schedules }>("schedule");
const skills = featureKey<"skills", { readonly library: SkillLibrary }>("skills");
const watch = featureKey<"watch", { readonly watches: Watches }>("watch");
const webhooks = featureKey<"webhooks", Webhooks>("webhooks");

export interface OperatorRouteParts {
  readonly host: RunningHost;
  readonly services: Omit<OperatorServices, "runtime">;
  /** The features' part of the status; called at each read. */
  readonly flags: () => OperatorFeatures;
  readonly state: { readonly draining: boolean };
  /** For tests: called with every response that does not fit its schema. */
  readonly onMisfit?: RoutePorts["onMisfit"];
}

/** A body is bounded by its bytes; so are its depth and its number of values (S7). */
const BODY_LIMITS = Object.freeze({ ...JSON_LIMITS, maxLength: maxBodyBytes });

function readJson(text: string): ReturnType<RoutePorts["readJson"]> {
  const read = parseJson(text, BODY_LIMITS);
  // Only an escape can encode text that no store holds; most bodies have none and are not searched.
  const path = read.ok && text.includes("\\u") ? unstorablePath(read.value) : undefined;
  if (path !== undefined)
    return { ok: false, message: "Expected text without NUL characters and halves of surrogate pairs.", path };
  if (read.ok) return read;
  // The parser's own message would quote the text, which may hold a secret.
  return {
    ok: false,
    message: read.code === "json.syntax" ? "The body is not valid JSON." : `The body: ${read.message}.`,
  };
}

/** Its routes, in the order a router must see them. */
export function operatorApi(parts: OperatorRouteParts): readonly OperatorRoute[] {
  const { host, services, flags, onMisfit } = parts;
  const { core, logging, version, redact } = host;
  const warn = (message: string): void => logging.logger.warn(message);
  return createOperatorApi({
    version,
    readJson,
    refusalOf,
    redact,
    onMisfit,
    idempotency: createIdempotency({ store: createIdempotencyStore(core.db, systemClock()), warn }),
    features: () => ({ a2a: true, chat_completions: true, ...flags() }),
    services: { ...services, runtime: runtimeOf(parts) },
  });
}

function runtimeOf({ host, state }: OperatorRouteParts): OperatorServices["runtime"] {
  const { version, settings, core, models, live, redact } = host;
  const posts = host.opened(webhooks);
  const { fence } = host.opened(files);
  const { changes: history } = host.opened(fileChanges);
  return runtimeService({
    version,
    settings,
    store: core.db,
    shownTools: () => core.toolbox.for({ subagent: false, peer: false }).shown.list.length,
    instanceUid: instanceUid(() => readInstanceUid(core.db)),
    middleware: () => ({
      audit: settings.middleware.audit,
      knowledge: settings.middleware.knowledge,
      scheduler: settings.middleware.scheduler,
      memory: settings.middleware.memory && !settings.environment.memoryDisabled,
      prompt_cache: settings.prompt_cache.enabled,
      compaction: settings.compaction.enabled,
    }),
    ready: () => !state.draining,
    redact,
    models,
    configuration: live,
    fence: { holding: fence.holding, folders: () => fence.projects.reachable.map(({ path }) => path) },
    fileHistory: () => history.usage(),
    sandbox: host.sandbox,
    failingWebhooks: () => posts.failingHosts(),
    mcp: () => mcpStatus(host.opened(mcp)),
    async knowledge() {
      const { operations, state, vectors } = host.opened(knowledge);
      const counts = await operations.size().catch(() => undefined);
      const embedded = counts && (await vectors().catch(() => undefined));
      const { status, embeddings, location = null } = state();
      const { top_k, db_path: configured_path } = settings.knowledge;
      return {
        ...{ enabled: settings.middleware.knowledge, status, embeddings, top_k },
        ...{ configured_path, resolved_path: location },
        ...{ chunks: counts?.chunks ?? null, pending: counts?.pending ?? null },
        ...{ unembedded: embedded?.waiting ?? null, dimensions: embedded?.dimensions ?? null },
      };
    },
    skills: () => {
      const { enabled, db_path: path, top_k } = settings.skills;
      const usable = host.opened(skills).library.entries.filter(({ skill }) => skill !== undefined);
      return { enabled, count: enabled ? usable.length : 0, configured_path: path, top_k };
    },
    scheduler: () =>
      schedulerStatus(host.opened(schedule).schedules, host.opened(watch).watches, host.opened(goal).goals),
    load: (party) => core.service.runner.queue.load(party),
  });
}

/** Of scheduled jobs, and of everything that is due by itself. */
function schedulerStatus(
  { isOn, count: jobs, nextDueAt }: Schedules,
  watches: Watches,
  goals: Goals,
): Pick<RuntimeStatus, "scheduler" | "autonomy"> {
  const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  const due = [nextDueAt, goals.nextDueAt, watches.nextDueAt].filter((at) => at !== undefined);
  const scheduler = { enabled: isOn, backend: isOn ? "store" : null, jobs, next_due_at: iso(nextDueAt) };
  const next_due_at = iso(due.length === 0 ? undefined : Math.min(...due));
  return { scheduler, autonomy: { next_due_at, jobs, watches: watches.count, goals: goals.count } };
}

/** The MCP servers that run or could, as the status lists them. */
function mcpStatus(servers: McpOperations): RuntimeStatus["mcp"] {
  const rows = servers.list().map(({ name, transport, toolCount }) => ({
    ...{ name, transport: transport ?? "unknown", tool_count: toolCount },
  }));
  return { enabled: servers.enabled, servers: rows, tool_count: rows.reduce((sum, row) => sum + row.tool_count, 0) };
}
