/**
 * The engine, composed for a host (faces.md): opens the store, gives every open task an owner or an end, and hands out
 * the tasks.
 */
import type { AnyTool } from "@agent-service/plugin-sdk";
import { ActivityFeed, noteActivity, tellActivity } from "./activity/index.ts";
import { ApprovalGrants } from "./approval/index.ts";
import { EventLog, tellTasks } from "./bus/index.ts";
import { type Clock, systemClock } from "./clock/index.ts";
import type { ContextSettings } from "./context/index.ts";
import {
  type Database,
  type Failpoints,
  type OpeningStore,
  openStore,
  readLeaseEpoch,
  withFailpoints,
} from "./database/index.ts";
import type { Delegations } from "./delegation/index.ts";
import type { CommittedEvent, InputMessage, InputPart, TaskView } from "./event/index.ts";
import { keepHouse } from "./housekeeping.ts";
import { Inbox } from "./inbox/index.ts";
import { Journal, type Retention } from "./journal/index.ts";
import { keepWarm, type ModelChoice, type WarmHeart, type WarmSettings } from "./model/index.ts";
import { JournalFeed, type JournalReader } from "./projection/index.ts";
import { createRedactor, type Redactor } from "./redaction/index.ts";
import {
  type IncognitoTurns,
  openSessions,
  type SessionEdits,
  SessionIndex,
  type SessionRemoval,
  type Sessions,
} from "./session/index.ts";
import {
  ApprovalInbox,
  DEFAULT_TURN_BOUNDS,
  endedByRestart,
  endOpenTasks,
  type OnRestart,
  type Reconciled,
  reconcile,
  type TaskHandle,
  TaskService,
  type TurnBounds,
  tellApprovals,
} from "./task/index.ts";
import { DurableTimers, waitTimers } from "./timer/index.ts";
import type { EnforcementSettings, Toolbox, ToolPolicy } from "./tool/index.ts";
import type { ObservedCall, TurnDeps, TurnLimits } from "./turn/index.ts";
import { turnDeps } from "./turn-deps.ts";
import { type WebhookOptions, Webhooks } from "./webhook/index.ts";

/** What an agent is made of. */
export interface AgentCoreOptions {
  /**
   * `file:agent.db`, `:memory:`, or a server's `libsql://`, `http://` or `https://` URL (ruling R11); or a store that is
   * being opened already, which becomes the engine's own.
   */
  readonly store: string | OpeningStore;
  /** Token of a store behind a URL. */
  readonly storeToken?: string;
  /** Bytes a file store may take; beyond it work is refused as on a full disk (ruling S7). Default: the disk's room. */
  readonly storeMaxBytes?: number;
  /** The model, or a function that finds one by the value a turn asks for (undefined: the lead model). */
  readonly model: ModelChoice | ((value: string | undefined) => ModelChoice);
  /** The system text; a function is asked before each call and should return the same bytes while nothing changed. */
  readonly persona?: string | (() => string | undefined);
  /** How much of a conversation the model is shown; asked before each call. Default: document 3's. */
  readonly context?: () => ContextSettings;
  /** The heartbeat of the provider's prompt cache (document 3 `prompt_cache.warm`). Default: there is none. */
  readonly promptWarming?: () => WarmSettings;
  readonly tools?: readonly AnyTool[];
  /** Which of the tools there are now; asked at each use, and read when it is another object (document 3 `tools`). */
  readonly toolPolicy?: () => ToolPolicy;
  /** What is checked before a tool runs; asked as `toolPolicy` (document 3 `enforcement`). Default: nothing. */
  readonly enforcement?: () => EnforcementSettings;
  /** Whom work can be delegated to; its `tools` belong among `tools`. Default: nobody. */
  readonly delegations?: Delegations;
  readonly limits?: Partial<TurnLimits> | (() => Partial<TurnLimits>);
  /** How many turns run and wait; a function is asked at each decision. Default: `DEFAULT_TURN_BOUNDS` (ruling S7). */
  readonly turns?: Partial<TurnBounds> | (() => Partial<TurnBounds>);
  /** Bytes of running and waiting tasks beyond which new ones are refused as overloaded (E10). Default 512 MiB. */
  readonly maxHeldBytes?: number;
  /** What a restart does to open tasks. Default `auto` (ruling A18). */
  readonly onRestart?: OnRestart;
  readonly retention?: Partial<Retention> | (() => Partial<Retention>);
  /** Webhooks of tasks (rulings W1, W2); absent: there are none. */
  readonly webhooks?: WebhookOptions;
  readonly clock?: Clock;
  /**
   * Takes secrets out of what tools and models say of themselves before it is journaled (ruling S5). Default: one that
   * knows keys by their shape.
   */
  readonly redactor?: Redactor;
  readonly log?: { info(message: string): void; warn(message: string): void };
  /** Called when the engine can no longer keep its promises (the lease is lost, a bug); the host should exit. */
  readonly onFatal?: (error: unknown) => void;
  /** Told of every committed event, in order per task. Must not throw. */
  readonly onCommit?: (view: Readonly<TaskView>, events: readonly CommittedEvent[]) => void;
  /** Readers of the journal that run behind it, such as `Telemetry`. */
  readonly readers?: readonly JournalReader[];
  /** The `traceparent` a model call carries on to its provider; absent: none does. */
  readonly traceparent?: ((view: Readonly<TaskView>, call: string) => string) | undefined;
  /** Removes what the host keeps of a session that is deleted. Must be repeatable. */
  readonly forgetSession?: (session: string) => Promise<void>;
  /** Told of every model call that ended, in the path of its turn. Must not throw. */
  readonly onModelCall?: (call: ObservedCall) => void;
  /** For tests only. */
  readonly failpoints?: Failpoints;
  /** Name of this process in the store's lease. */
  readonly owner?: string;
}

/** How an embedding host starts a task. */
export interface CoreTaskInput {
  /** The conversation; absent: a new one. */
  readonly context?: string;
  readonly text?: string;
  readonly parts?: readonly InputPart[];
  readonly model?: string;
}

/** A running engine. */
export interface AgentCore {
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
  /** What waits for a person, and the approvals that are remembered. */
  readonly approvals: ApprovalInbox;
  readonly db: Database;
  readonly journal: Journal;
  /** The tools it has now. */
  readonly toolbox: Toolbox;
  /** What settings say about calls now; undefined: nothing. */
  readonly enforcement: TurnDeps["enforcement"];
  /** Where the options name them. */
  readonly webhooks: Webhooks | undefined;
  /** Where the options name them. */
  readonly delegations: Delegations | undefined;
  /** The operator's conversations. */
  readonly sessions: Sessions;
  /** What is done to one as a whole: rewind, fork, regenerate, compact. */
  readonly edits: SessionEdits;
  /** Deletes them. */
  readonly removal: SessionRemoval;
  /** Ends the incognito ones. */
  readonly incognito: IncognitoTurns;
  /** What waits for the agent. */
  readonly inbox: Inbox;
  /** What the agent did by itself. */
  readonly activity: ActivityFeed;
  /** The readers behind the journal. */
  readonly feed: JournalFeed;
  /** Where changes are told to consoles and the like (ruling O7), and where those read them. */
  readonly bus: EventLog;
  /** What happened to the tasks a former process left open. */
  readonly reconciled: Reconciled;
  /** Turns that run and wait. */
  load(): { running: number; waiting: number };
  /** Accepts nothing any more, lets running turns end for up to `graceMs` (default 10,000), then ruling A18; closes. */
  stop(options?: { graceMs?: number }): Promise<void>;
}

const HELD_BYTES = 512 * 1024 * 1024;
/** Milliseconds after the start that readers look for what a former process left them. */
const CATCH_UP_MS = 500;
/** Milliseconds of a shutdown that webhooks under way may take. */
const WEBHOOK_GRACE_MS = 2_000;

function message(parts: readonly InputPart[]): InputMessage {
  return { messageId: crypto.randomUUID(), parts };
}

async function* followTask(service: TaskService, id: string, after: number, signal: AbortSignal) {
  const handle = await service.get(id);
  if (handle === undefined) return;
  for await (const page of handle.follow(after, signal)) yield* page;
}

function tasksOf(service: TaskService): AgentCore["tasks"] {
  return {
    start({ context, text, parts, model }) {
      const content = parts ?? [{ kind: "text" as const, text: text ?? "" }];
      return service.start({
        class: "operator",
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
        class: "operator",
        input: message([part]),
        ...(promptId === undefined ? {} : { promptId }),
      });
    },
    cancel: (id) => service.cancel(id),
  };
}

/** The heartbeat of the prompt cache: the lead model, with the prefix that its turns have. */
function warmHeart(settings: AgentCoreOptions["promptWarming"], deps: TurnDeps): WarmHeart | undefined {
  if (settings === undefined) return undefined;
  const prefix = () => {
    const { model, name, settings } = deps.chooseModel(undefined);
    const system = deps.system();
    const request = {
      model: name,
      ...(system === undefined ? {} : { system }),
      tools: deps.toolbox.shown.list,
      settings,
    };
    return { model, request };
  };
  return keepWarm({ settings, prefix, clock: deps.clock, warn: (message) => deps.log.warn(message) });
}

function openOwnStore(url: string, options: AgentCoreOptions, clock: Clock): OpeningStore {
  const { storeToken: authToken, storeMaxBytes: maxBytes, owner: name = "agent-core" } = options;
  return openStore({ url, authToken, maxBytes, owner: { name }, clock });
}

/** The bounds of the moment, completed once per set. */
function turnBounds({ turns = {} }: AgentCoreOptions): () => TurnBounds {
  let last: { readonly given: Partial<TurnBounds>; readonly whole: TurnBounds } | undefined;
  return () => {
    const given = typeof turns === "function" ? turns() : turns;
    if (last?.given !== given) last = { given, whole: { ...DEFAULT_TURN_BOUNDS, ...given } };
    return last.whole;
  };
}

/** What commits change is told on the bus. */
function tellChanges(journal: Journal, bus: EventLog): void {
  journal.onCommit(tellTasks(bus));
  journal.onCommit(({ view }, events) => bus.watched && tellApprovals(bus, view, events));
  journal.onCommit(({ view }, events) => tellActivity(bus, view, events));
}

function openJournal(db: Database, clock: Clock, { onCommit }: AgentCoreOptions): Journal {
  const journal = new Journal({ db, clock });
  if (onCommit !== undefined) journal.onCommit((record, events) => onCommit(record.view, events));
  return journal;
}

/** A store in memory begins with its first epoch each time, so the time of the start stands for it. */
async function openBus(db: Database, clock: Clock, { redactor, log }: AgentCoreOptions): Promise<EventLog> {
  const epoch = db.durable ? await readLeaseEpoch(db) : clock.now();
  const warn = (message: string): void => log?.warn(message);
  return new EventLog({ epoch, clock, redactor: redactor ?? createRedactor(), warn });
}

function failing(db: Database, failpoints: Failpoints | undefined): Database {
  return failpoints === undefined ? db : withFailpoints(db, failpoints);
}

/**
 * Starts an engine. When it resolves, every task a former process left open has a stated end or an owner, and work may
 * be handed in.
 * @throws DatabaseError in_use, unwritable, unreachable
 * @throws ToolRegistrationError
 */
export async function createAgentCore(options: AgentCoreOptions): Promise<AgentCore> {
  const clock = options.clock ?? systemClock();
  const { maxHeldBytes = HELD_BYTES, redactor = createRedactor(), onRestart = "auto", onFatal = () => {} } = options;
  const store = typeof options.store === "string" ? openOwnStore(options.store, options, clock) : options.store;
  store.onLost(onFatal);
  const db = failing(await store.database, options.failpoints);
  const journal = openJournal(db, clock, options);
  const [bus, grants] = await Promise.all([openBus(db, clock, options), ApprovalGrants.open(db)]);
  const deps = turnDeps(options, { db, journal, clock, grants });
  tellChanges(journal, bus);
  const source = { db, statements: journal.statements };
  // Before any task goes on: what a reader did not hear is what a former process committed.
  const index = new SessionIndex({ db, bus });
  const feed = new JournalFeed({ journal, source, clock, log: deps.log, readers: [index, ...(options.readers ?? [])] });
  const bounds = { bounds: turnBounds(options), maxHeldBytes };
  const service = new TaskService({ deps, bus, ...bounds, onFatal, accompany: noteActivity });
  const timers = new DurableTimers({ db, clock, log: deps.log, bus, fire: waitTimers(service) });
  const conversations = openSessions({
    ...{ db, journal, service, clock, bus, feed, index, redactor, newId: deps.newId, forget: options.forgetSession },
    ...{ timers, webhooks: () => webhooks, conversations: deps.conversations },
  });
  options.delegations?.attach({ ...deps, service, bus });
  const inbox = new Inbox({ db, journal, service, clock, log: deps.log, bus });
  const plan = await reconcile(journal, service.runner, onRestart);
  await service.loadSteering();
  const parts = { db, journal, clock: options.webhooks?.clock ?? clock, log: deps.log };
  const webhooks = options.webhooks && new Webhooks(options.webhooks, parts);
  // After every task that a restart ends has ended, before any goes on: what they are told is what is true.
  await webhooks?.resume();
  const removals = [(await conversations.removal.resume()).finish, await conversations.incognito.resume()];
  await plan.begin();
  // Where a restart fails tasks, unread steering stays with its context until somebody speaks there (ruling A18).
  if (onRestart !== "fail") await service.readLeftovers((of) => onRestart === "auto" && endedByRestart(db, of));
  inbox.resume();
  await timers.start();

  const stopHousekeeping = keepHouse(options.retention, {
    clock,
    deps,
    service,
    ...conversations,
    webhooks,
    heart: warmHeart(options.promptWarming, deps),
  });
  // Not in the way of the start.
  clock.setTimeout(() => void catchUp(feed, removals, deps.log), CATCH_UP_MS, { background: true });

  return {
    tasks: tasksOf(service),
    service,
    timers,
    approvals: new ApprovalInbox({ deps, service, grants, bus }),
    db,
    journal,
    toolbox: deps.toolbox,
    enforcement: deps.enforcement,
    webhooks,
    delegations: options.delegations,
    ...conversations,
    inbox,
    activity: new ActivityFeed(db),
    feed,
    bus,
    reconciled: { failed: plan.failed, resumed: plan.resumed, parked: plan.parked },
    load: () => queueLoad(service),
    async stop({ graceMs = 10_000 } = {}) {
      service.close();
      await inbox.stop();
      await timers.stop();
      await service.runner.idle(graceMs);
      await endOpen(journal, service, { onRestart, log: deps.log });
      service.runner.abandon();
      await webhooks?.stop(Math.min(graceMs, WEBHOOK_GRACE_MS));
      await conversations.incognito.stop(feed, deps.log);
      bus.close();
      stopHousekeeping();
      await db.close();
    },
  };
}

function queueLoad({ runner: { queue } }: TaskService): ReturnType<AgentCore["load"]> {
  return { running: queue.running, waiting: queue.waiting };
}

/** What a former process left: what readers had not written, and then the sessions it had half removed. */
async function catchUp(
  feed: JournalFeed,
  removals: readonly (() => Promise<void>)[],
  log: TurnDeps["log"],
): Promise<void> {
  await feed.catchUp();
  for (const remove of removals) {
    await remove().catch((error: unknown) => log.warn(`a session could not be removed yet: ${String(error)}`));
  }
}

/** Ruling A18: a shutdown by signal follows the same rule as a restart. What cannot be ended now is ended at the next boot. */
function endOpen(
  journal: Journal,
  { runner }: TaskService,
  { onRestart, log }: { readonly onRestart: OnRestart; readonly log: TurnDeps["log"] },
): Promise<unknown> {
  const onError = (id: string, error: unknown): void => log.warn(`task ${id} could not be ended: ${String(error)}`);
  return endOpenTasks(journal, runner, { onRestart, onError });
}
