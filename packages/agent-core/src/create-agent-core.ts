/**
 * Starts an engine with its features, in phases: open → seal → reconcile → recover → start. It knows no feature by name.
 */
import type { AgentCoreOptions } from "./agent-core-options.ts";
import type { EventLog } from "./bus/index.ts";
import type { Database } from "./database/index.ts";
import type { CommittedEvent, InputMessage, InputPart } from "./event/index.ts";
import {
  type AnyFeature,
  type Complete,
  defaultSettings,
  FeatureSet,
  type ToolGroup,
  type ValuesOf,
} from "./feature/index.ts";
import { startHousekeeping } from "./housekeeping.ts";
import type { Journal } from "./journal/index.ts";
import { connectFeatures, type OpenEngine, openEngine } from "./open-engine.ts";
import type { Processes } from "./process/index.ts";
import type { JournalFeed } from "./projection/index.ts";
import { OPERATOR_CLASS } from "./share/index.ts";
import {
  ApprovalInbox,
  DirectCalls,
  endedByRestart,
  endOpenTasks,
  type OnRestart,
  type Reconciled,
  type ReconcilePlan,
  reconcile,
  type TaskHandle,
  type TaskService,
} from "./task/index.ts";
import type { DurableTimers } from "./timer/index.ts";
import type { Toolbox } from "./tool/index.ts";
import type { TurnDeps } from "./turn/index.ts";

/** How an embedding host starts a task. */
export interface CoreTaskInput {
  /** The conversation; absent: a new one. */
  readonly context?: string;
  readonly text?: string;
  readonly parts?: readonly InputPart[];
  readonly model?: string;
}

/** A running engine, whatever its features. */
export interface AgentEngine {
  /** The tasks as an embedding host uses them. */
  readonly tasks: {
    start(input: CoreTaskInput): Promise<TaskHandle>;
    get(id: string): Promise<TaskHandle | undefined>;
    /** Replayable: `follow(id, { after: 12 })`. Ends when the task is terminal or parked. */
    follow(id: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<CommittedEvent>;
    answer(id: string, answer: { promptId?: string; answer: unknown }): Promise<TaskHandle>;
    cancel(id: string): Promise<TaskHandle>;
  };
  /** The same tasks with caller classes, idempotency keys and origins: what surfaces are built on. */
  readonly service: TaskService;
  /** Moments at which something happens by itself. */
  readonly timers: DurableTimers;
  /** Calls of tools that the operator makes without a model. */
  readonly directCalls: DirectCalls;
  /** What waits for a person, and the approvals that are remembered. */
  readonly approvals: ApprovalInbox;
  readonly db: Database;
  readonly journal: Journal;
  /** The programs that run. */
  readonly processes: Processes;
  /** The tools there are now. */
  readonly toolbox: Toolbox;
  /** All tools there are now, by the feature that brings them. */
  readonly toolGroups: readonly ToolGroup[];
  /** The current enforcement of calls; undefined: none is configured. */
  readonly enforcement: TurnDeps["enforcement"];
  /** The readers behind the journal. */
  readonly feed: JournalFeed;
  /** Where changes are published for consoles and the like (O7). */
  readonly bus: EventLog;
  /** What happened to the tasks a former process left open. */
  readonly reconciled: Reconciled;
  /** Turns that run and wait. */
  load(): { running: number; waiting: number };
  /** Accepts nothing any more, lets running turns end for up to `graceMs` (default 10,000), then A18; closes. */
  stop(options?: { graceMs?: number }): Promise<void>;
}

/** A running engine with its features. */
export interface AgentCore<Features extends readonly AnyFeature[] = readonly []> extends AgentEngine {
  /** What each feature opened, by the feature's name. */
  readonly features: ValuesOf<Features>;
}

/** Milliseconds after the start that readers look for what a former process left them. */
const CATCH_UP_MS = 500;

function message(parts: readonly InputPart[]): InputMessage {
  return { messageId: crypto.randomUUID(), parts };
}

async function* followTask(service: TaskService, id: string, after: number, signal: AbortSignal) {
  const handle = await service.get(id);
  if (handle === undefined) return;
  for await (const page of handle.follow(after, signal)) yield* page;
}

function tasksOf(service: TaskService): AgentEngine["tasks"] {
  return {
    start({ context, text, parts, model }) {
      const content = parts ?? [{ kind: "text" as const, text: text ?? "" }];
      return service.start({
        class: OPERATOR_CLASS,
        origin: "embed",
        input: message(content),
        ...(context === undefined ? {} : { context }),
        ...(model === undefined ? {} : { options: { model } }),
      });
    },
    get: (id) => service.get(id),
    follow: (id, options) =>
      followTask(service, id, options?.after ?? 0, options?.signal ?? new AbortController().signal),
    answer(id, { promptId, answer }) {
      const part: InputPart =
        typeof answer === "string" ? { kind: "text", text: answer } : { kind: "data", data: { answer } };
      return service.answer(id, {
        class: OPERATOR_CLASS,
        input: message([part]),
        ...(promptId === undefined ? {} : { promptId }),
      });
    },
    cancel: (id) => service.cancel(id),
  };
}

/**
 * Starts an engine. When it resolves, every task a former process left open has a stated end or an owner, and work may
 * be handed in.
 * @throws DatabaseError in_use, unwritable, unreachable
 * @throws FeatureError where a feature is listed before its needs or fails in a phase
 * @throws ToolRegistrationError
 */
export async function createAgentCore<const Features extends readonly AnyFeature[] = readonly []>(
  options: AgentCoreOptions & { readonly features?: Features & Complete<Features> },
): Promise<AgentCore<Features>> {
  const { features: list = [], settings = defaultSettings() } = options;
  const features = new FeatureSet();
  const opened = await openEngine(options, features);
  try {
    await features.open(list, opened.engine, settings);
    connectFeatures(opened, features, options);
    const plan = await recover(opened, features, options);
    await begin(opened, features, plan, options);
    return coreOf(opened, features, plan, options);
  } catch (error) {
    await opened.engine.processes.stop().catch(() => {});
    await features.close(0).catch(() => {});
    await opened.engine.db.close();
    throw error;
  }
}

/** Gives every open task an owner or an end, then has the features take over what else a former process left. */
async function recover(
  { engine }: OpenEngine,
  features: FeatureSet,
  { onRestart = "auto" }: AgentCoreOptions,
): Promise<ReconcilePlan> {
  const { journal, service, processes, log } = engine;
  await processes.endSurvivors();
  const plan = await reconcile(journal, service.runner, onRestart);
  const { failed, resumed, parked } = plan;
  log.debug?.({ rule: onRestart, failed, resumed, parked }, "open tasks of the former process settled");
  await service.loadSteering();
  await features.recover();
  return plan;
}

/** From here on turns run and timers fire. */
async function begin(
  { engine }: OpenEngine,
  features: FeatureSet,
  plan: ReconcilePlan,
  { onRestart = "auto" }: AgentCoreOptions,
): Promise<void> {
  const { db, service, timers, clock, feed } = engine;
  await plan.begin();
  // Where a restart fails tasks, unread steering stays with its context until the next message there (A18).
  if (onRestart !== "fail") await service.readLeftovers((of) => onRestart === "auto" && endedByRestart(db, of));
  await features.start();
  await timers.start();
  // Not in the way of the start.
  clock.setTimeout(() => void feed.catchUp(), CATCH_UP_MS, { background: true });
}

function coreOf<Features extends readonly AnyFeature[]>(
  { engine, deps, grants }: OpenEngine,
  features: FeatureSet,
  { failed, resumed, parked }: ReconcilePlan,
  options: AgentCoreOptions,
): AgentCore<Features> {
  const { service, timers, processes, db, journal, feed, bus, clock } = engine;
  const stopHousekeeping = startHousekeeping(options.retention, { clock, deps, service, features });
  const { runner } = service;
  return {
    features: features.values as ValuesOf<Features>,
    tasks: tasksOf(service),
    ...{ service, timers, processes, db, journal, feed, bus },
    approvals: new ApprovalInbox({ deps, service, grants, bus }),
    directCalls: new DirectCalls({ service, toolbox: deps.toolbox, db, journal }),
    toolbox: deps.toolbox,
    get toolGroups() {
      return features.contributions.tools.map((contributed) => {
        const { category, source } = contributed;
        return { category, source, tools: deps.toolbox.toolsOf(contributed) };
      });
    },
    enforcement: deps.enforcement,
    reconciled: { failed, resumed, parked },
    load: () => ({ running: runner.queue.running, waiting: runner.queue.waiting }),
    async stop({ graceMs = 10_000 } = {}) {
      const failing = (error: unknown): void => deps.log.warn(String(error));
      service.close();
      await features.quiesce().catch(failing);
      await timers.stop();
      await runner.idle(graceMs);
      await endOpen(journal, service, { onRestart: options.onRestart ?? "auto", log: deps.log });
      runner.abandon();
      await processes.stop().catch(failing);
      await features.drain(graceMs).catch(failing);
      await feed.stop();
      await features.beforeClose().catch(failing);
      await features.close(graceMs).catch(failing);
      bus.close();
      stopHousekeeping();
      await db.close();
    },
  };
}

/** A18: a shutdown by signal follows the same rule as a restart. What cannot be ended now is ended at the next boot. */
function endOpen(
  journal: Journal,
  { runner }: TaskService,
  { onRestart, log }: { readonly onRestart: OnRestart; readonly log: TurnDeps["log"] },
): Promise<unknown> {
  const onError = (id: string, error: unknown): void => log.warn(`task ${id} could not be ended: ${String(error)}`);
  return endOpenTasks(journal, runner, { onRestart, onError });
}
