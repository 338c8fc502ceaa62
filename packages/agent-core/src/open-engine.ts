/** The engine without its features: the store, the journal, the tasks, and what features are opened over. */
import type { AgentCoreOptions } from "./agent-core-options.ts";
import { ApprovalGrants } from "./approval/index.ts";
import { EventLog, publishProgress, publishTasks } from "./bus/index.ts";
import { type Clock, systemClock } from "./clock/index.ts";
import {
  type Database,
  lazyStore,
  type OpeningStore,
  openDatabase,
  openStore,
  readLeaseEpoch,
  withFailpoints,
} from "./database/index.ts";
import type { Engine, FeatureSet, OwnStoreOptions } from "./feature/index.ts";
import { Journal } from "./journal/index.ts";
import { Processes } from "./process/index.ts";
import { JournalFeed } from "./projection/index.ts";
import { createRedactor } from "./redaction/index.ts";
import { OPERATOR_CLASS } from "./share/index.ts";
import {
  DEFAULT_TURN_BOUNDS,
  IncognitoConversations,
  publishApprovals,
  TaskService,
  type TurnBounds,
} from "./task/index.ts";
import { DurableTimers } from "./timer/index.ts";
import { joinTexts } from "./turn/index.ts";
import { type OpenTurnDeps, turnDeps } from "./turn-deps.ts";

const HELD_BYTES = 512 * 1024 * 1024;

/** An engine whose features are not open yet. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly deps: OpenTurnDeps;
  readonly grants: ApprovalGrants;
}

function openOwnStore(url: string, options: AgentCoreOptions, clock: Clock): OpeningStore {
  const { storeToken: authToken, storeMaxBytes: maxBytes, owner: name = "agent-core" } = options;
  return openStore({ url, authToken, maxBytes, owner: { name }, clock });
}

/** The current bounds, completed once per set. */
function turnBounds({ turns = {} }: AgentCoreOptions): () => TurnBounds {
  let last: { readonly given: Partial<TurnBounds>; readonly whole: TurnBounds } | undefined;
  return () => {
    const given = typeof turns === "function" ? turns() : turns;
    if (last?.given !== given) last = { given, whole: { ...DEFAULT_TURN_BOUNDS, ...given } };
    return last.whole;
  };
}

/** A store in memory begins with its first epoch each time, so the time of the start is used instead. */
async function openBus(db: Database, clock: Clock, { redactor, log }: AgentCoreOptions): Promise<EventLog> {
  const epoch = db.durable ? await readLeaseEpoch(db) : clock.now();
  const warn = (message: string): void => log?.warn(message);
  return new EventLog({ epoch, clock, redactor: redactor ?? createRedactor(), warn });
}

/**
 * Opens it. What features contribute is read from `features`, which is filled before anything runs.
 * @throws DatabaseError in_use, unwritable, unreachable
 */
export async function openEngine(options: AgentCoreOptions, features: FeatureSet): Promise<OpenEngine> {
  const { redactor = createRedactor(), failpoints, onFatal = () => {} } = options;
  const { maxHeldBytes = HELD_BYTES, onRestart = "auto" } = options;
  const clock = options.clock ?? systemClock();
  const store = typeof options.store === "string" ? openOwnStore(options.store, options, clock) : options.store;
  store.onLost(onFatal);
  const opened = await store.database;
  const db = failpoints === undefined ? opened : withFailpoints(opened, failpoints);
  const journal = new Journal({ db, clock });
  const [bus, grants] = await Promise.all([openBus(db, clock, options), ApprovalGrants.open(db)]);
  const incognito = new IncognitoConversations(db, journal.statements);
  const deps = turnDeps(options, {
    ...{ db, journal, clock, grants, features, onProgress: publishProgress(bus) },
    showsIncognito: (of) => incognito.mayBeWhole(of),
  });
  const { log } = deps;
  const accompany: ConstructorParameters<typeof TaskService>[0]["accompany"] = (task, at) =>
    features.contributions.accompany(task, at);
  const service = new TaskService({
    ...{ deps, bus, bounds: turnBounds(options), maxHeldBytes, onFatal, accompany, incognito },
  });
  const owner = { name: options.owner ?? "agent-core" };
  const timers = new DurableTimers({ db, clock, log, bus, fire: (kind) => features.contributions.timers[kind] });
  const processes = new Processes({ db, clock, log, newId: deps.newId });
  const stores: Database[] = [];
  const engine: Engine = {
    ...{ db, journal, clock, log, redactor, newId: deps.newId, bus, service, timers, processes, onRestart },
    verifiers: options.verifiers ?? {},
    conversations: deps.conversations,
    feed: new JournalFeed({ journal, source: { db, statements: journal.statements }, clock, log }),
    toolbox: deps.toolbox,
    chooseModel: (value) => deps.chooseModel(value),
    system: () => joinTexts(deps.system(), deps.systemText?.("operator")),
    traceparent: (view, call) => features.contributions.traceparent?.(view, call),
    openStore({ schema, url, fallback, synchronous }: OwnStoreOptions) {
      const open = (address: string): Promise<Database> =>
        openDatabase({ url: address, schema, synchronous, owner, clock, failpoints, threads: store.threads });
      const openEither = async (): Promise<Database> => {
        try {
          return await open(await url());
        } catch (error) {
          if (fallback === undefined) throw error;
          return open(fallback(error));
        }
      };
      return lazyStore(async () => {
        const own = await openEither();
        stores.push(own);
        return own;
      }, clock);
    },
    async eraseRemains() {
      // From a store that was not opened nothing was removed.
      for (const store of [db, ...stores]) await store.eraseRemains();
    },
    async forgetSession(session, retired) {
      await timers.cancelOf({ class: OPERATOR_CLASS, context: session });
      await features.forgetSession(session, retired);
    },
    forgetTasks: (tasks) => features.forgetTasks(tasks),
    rewriteTexts: (rewriting) => features.rewriteTexts(rewriting),
  };
  return { engine, deps, grants };
}

/** Connects what all features contribute: from here on commits, tasks and timers find it. */
export function connectFeatures({ engine, deps }: OpenEngine, features: FeatureSet, options: AgentCoreOptions): void {
  const { journal, bus, service, feed } = engine;
  const contributed = features.seal();
  deps.toolbox.seal([...contributed.tools, { source: "core", tools: options.tools ?? [] }]);
  for (const source of contributed.commands) service.commands.add(source);
  const { onCommit } = options;
  if (onCommit !== undefined) journal.onCommit((record, events) => onCommit(record.view, events));
  journal.onCommit(publishTasks(bus));
  journal.onCommit(({ view }, events) => bus.watched && publishApprovals(bus, view, events));
  journal.onCommit(({ view }, events) => contributed.onCommit(view, events));
  feed.listen(contributed.readers);
}
