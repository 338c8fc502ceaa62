/**
 * What is observed of the work, from settings: turn rows, what models were told, the audit log (document 3 `telemetry`,
 * `prompts`, `middleware.audit`; ruling R12).
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AgentCore,
  type AgentCoreOptions,
  AuditLog,
  type Clock,
  CSV_HEAD,
  callArguments,
  type Database,
  type JournalReader,
  openDatabase,
  PromptSnapshots,
  type Redactor,
  type StoreThreads,
  Telemetry,
  TelemetryReports,
  Tracing,
  traceIdOf,
  traceparentOf,
  traceTarget,
} from "@agent-service/agent-core";
import type { PromptsService, TelemetryService } from "@agent-service/operator-api";
import { packageVersion } from "./cli/index.ts";
import type { ComposedModels } from "./compose-models.ts";
import { promptsOfTask } from "./delegated-prompts.ts";
import type { Logging } from "./logging/index.ts";
import { openedOnce } from "./opened-once.ts";
import { type WebhookWatch, watchWebhooks } from "./operator/index.ts";
import { derive, type ServerSettings } from "./sections/index.ts";

/** What the observation is made of. */
export interface ObservationParts {
  readonly logging: Logging;
  readonly clock: Clock;
  readonly models: Pick<ComposedModels, "price">;
  /** Of the engine's store: a further file costs a connection there, not a thread. */
  readonly threads: StoreThreads;
  /** The text that leads now. */
  readonly persona: () => string;
  readonly redactor: Redactor;
  /** The engine, once it runs. */
  readonly core: () => AgentCore | undefined;
}

/** What observes a service. */
export interface Observation {
  /** For the engine. */
  readonly readers: readonly JournalReader[];
  readonly onModelCall: NonNullable<AgentCoreOptions["onModelCall"]>;
  /** Removes what is kept of a session's prompts. Numbers and audit lines stay (ruling O8). */
  readonly forgetSession: (session: string) => Promise<void>;
  /** Present while traces are sent. */
  readonly traceparent: AgentCoreOptions["traceparent"];
  /** For the operator API. */
  readonly telemetry: TelemetryService;
  readonly prompts: PromptsService;
  /** Which hosts do not take their webhooks. */
  readonly webhooks: WebhookWatch;
  /** Closes what the readers wrote to; call it once they have stopped. */
  close(): Promise<void>;
}

/** Opens the store of the settings, or the one in the home where that cannot be written (document 3 `telemetry.db_path`). */
async function openStore(settings: ServerSettings, { logging, threads }: ObservationParts): Promise<Database> {
  const { home } = settings.paths;
  const fallback = join(home, settings.instance, "telemetry.db");
  const { db_path: wanted } = settings.telemetry;
  const name = `${settings.identity.name} (agent-service ${packageVersion()})`;
  const open = async (path: string): Promise<Database> => {
    const common = { owner: { name }, schema: "observation", threads } as const;
    if (path === "") return openDatabase({ ...common, url: ":memory:" });
    if (/^(libsql|https?):\/\//.test(path)) return openDatabase({ ...common, url: path });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // It can be read again from the journal, so a power cut may take the last second of it.
    return openDatabase({ ...common, url: `file:${path}`, synchronous: "normal" });
  };
  try {
    return await open(wanted);
  } catch (error) {
    if (wanted === fallback) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    logging.logger.warn(`telemetry.db_path: ${reason}; ${fallback} is used instead`);
    return open(fallback);
  }
}

function revisionOf(persona: string): string {
  return createHash("sha256").update(persona).digest("hex").slice(0, 12);
}

type TraceId = (task: string, parent: string | undefined) => string | null;

function openTracing(settings: ServerSettings, { redactor, clock, logging }: ObservationParts): Tracing {
  return new Tracing({
    ...traceTarget(settings.tracing, settings.environment.tracing),
    agent: settings.environment.agentName,
    version: packageVersion(),
    redactor,
    clock,
    log: { warn: (message) => logging.logger.warn(message) },
  });
}

function openAudit(settings: ServerSettings, trace: TraceId, { redactor, clock, core }: ObservationParts): AuditLog {
  return new AuditLog({
    trace,
    path: join(settings.paths.home, settings.instance, "logs", "audit.jsonl"),
    redactor,
    clock,
    enabled: () => settings.middleware.audit,
    async argumentsOf(calls) {
      const db = core()?.db;
      return db === undefined ? new Map() : callArguments(db, calls);
    },
  });
}

function openPrompts(
  settings: ServerSettings,
  db: () => Promise<Database>,
  { redactor, clock, logging }: ObservationParts,
): PromptSnapshots {
  const warn = (message: string): void => logging.logger.warn(message);
  return new PromptSnapshots({
    db,
    clock,
    redactor,
    log: { warn },
    settings() {
      const { capture, retention_days: retentionDays, max_calls: maxCalls } = settings.prompts;
      return { capture, retentionDays, maxCalls };
    },
  });
}

/** Composes it. Nothing is opened before something is written or read. */
export function composeObservation(settings: ServerSettings, parts: ObservationParts): Observation {
  const { clock, models } = parts;
  const store = openedOnce(() => openStore(settings, parts), clock);
  // Decided at the start: the section says that a change needs a restart.
  const { enabled } = settings.telemetry;
  const persona = derive(() => [parts.persona()], revisionOf);
  // Without tracing a turn belongs to a trace only if its caller named one.
  const traced = settings.tracing.enabled;
  const trace: TraceId = (task, parent) => (traced || parent !== undefined ? traceIdOf(task, parent) : null);
  const telemetry = new Telemetry({
    db: store.get,
    clock,
    persona,
    trace,
    redact: (text) => parts.redactor.text(text),
  });
  const reports = new TelemetryReports(store.get);
  const savings = (model: string): number | undefined => {
    const { input, cacheRead } = models.price(model) ?? {};
    return input === undefined || cacheRead === undefined ? undefined : (input - cacheRead) / 1_000_000;
  };
  // Readers run behind the journal; who asks now is told of what is committed now.
  const written = async (): Promise<void> => parts.core()?.feed.idle(telemetry);
  const told: ReturnType<TelemetryService["reports"]> = {
    summary: (since) => written().then(() => reports.summary(since)),
    recent: (limit, after) => written().then(() => reports.recent(limit, after)),
    async *csv(since) {
      await written();
      yield* reports.csv(since);
    },
    insights: () => written().then(() => reports.insights(savings)),
    series: (range) => written().then(() => reports.series(range)),
  };
  const prompts = openPrompts(settings, store.get, parts);
  const ofTask = promptsOfTask(prompts, parts.core);
  const audit = openAudit(settings, trace, parts);
  return {
    readers: [...(enabled ? [telemetry] : []), audit, ...(traced ? [openTracing(settings, parts)] : [])],
    traceparent: traced ? ({ id, trace: parent }, call) => traceparentOf(id, call, parent) : undefined,
    onModelCall: (call) => prompts.capture(call),
    forgetSession: (session) => prompts.forget(session),
    prompts: {
      enabled: () => settings.prompts.capture,
      // What waits is written first, as above.
      ofTask: (task) => prompts.flush().then(() => ofTask(task)),
      last: (session) => prompts.flush().then(() => prompts.last(session)),
      retention: () => prompts.retention(),
    },
    webhooks: watchWebhooks(),
    telemetry: { reports: () => (enabled ? told : undefined), csvHead: CSV_HEAD, now: () => clock.now() },
    async close() {
      await prompts.flush();
      await store.close();
    },
  };
}
