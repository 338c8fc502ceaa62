import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { activity } from "./activity/index.ts";
import type { AgentCoreOptions } from "./agent-core-options.ts";
import { type AgentCore, type AgentEngine, createAgentCore } from "./create-agent-core.ts";
import { type Failpoints, openStore } from "./database/index.ts";
import { benchThreads } from "./database-bench.ts";
import type { CommittedEvent, InputMessage, TaskEvent, TaskEventKind } from "./event/index.ts";
import { type AnyFeature, type Complete, defineFeature, defineTools, type FeatureHooks } from "./feature/index.ts";
import type { Model } from "./model/index.ts";
import type { JournalReader } from "./projection/index.ts";
import { sessions } from "./session/index.ts";
import type { TaskHandle } from "./task/index.ts";
import { type ScriptedTurn, scriptedModel } from "./testing/index.ts";
import { searchTools } from "./tool/index.ts";

/** Options of a core under test; the store is memory unless given. */
export type BenchOptions = Omit<AgentCoreOptions, "store" | "model"> & {
  readonly store?: string;
  readonly model: Model | AgentCoreOptions["model"];
};

/** The features of a core whose test names none. */
export const STANDARD = [activity, sessions] as const;

/** The core of a test that names no features. */
export type StandardCore = AgentCore<typeof STANDARD>;

/** A feature of hooks alone. */
export function hooked(hooks: FeatureHooks<undefined>) {
  return defineFeature({ name: "hooked", open: () => undefined, ...hooks });
}

interface AnyFeatures {
  readonly features?: readonly AnyFeature[];
}

/** The feature that finds withheld tools. */
export const searching = defineTools("searching", ({ toolbox }) => [searchTools(toolbox)]);

/** A feature of readers alone. */
export function reading(...readers: readonly JournalReader[]) {
  return defineFeature({ name: "reading", open: () => readers, readers: (opened) => opened });
}

/** Cores of one test file. */
export interface CoreBench {
  /** The address of a new, empty store in a file. */
  newStore(): string;
  /** Starts a core. An error that belongs to no task fails `end`, unless the core was crashed. */
  start<const Features extends readonly AnyFeature[] = typeof STANDARD>(
    options: BenchOptions & { readonly features?: Features & Complete<Features> },
  ): Promise<AgentCore<Features>>;
  /** Leaves a core as `kill -9` leaves it, as far as its store is concerned: nothing more is committed. */
  crash(core: AgentEngine): Promise<void>;
  /** Closes every core; for `afterEach`. */
  end(): Promise<void>;
  /** Removes the files; for `afterAll`. */
  remove(): void;
}

export function coreBench(): CoreBench {
  const folder = mkdtempSync(join(tmpdir(), "core-"));
  const cores = new Map<AgentEngine, unknown[]>();
  let files = 0;
  return {
    newStore: () => `file:${join(folder, `${files++}.db`)}`,
    async start({ store: url = ":memory:", model, features, ...options }: BenchOptions & AnyFeatures) {
      const fatal: unknown[] = [];
      const { clock, storeToken: authToken, storeMaxBytes: maxBytes, owner: name = "agent-core" } = options;
      const core = await createAgentCore({
        store: openStore({ url, authToken, maxBytes, owner: { name }, clock, threads: benchThreads }),
        model: typeof model === "object" && "stream" in model ? { model, name: "scripted" } : model,
        onFatal: (error) => fatal.push(error),
        ...options,
        features: features ?? STANDARD,
      });
      cores.set(core, fatal);
      // What `features` opened has the type of the signature above.
      return core as never;
    },
    async crash(core) {
      cores.delete(core);
      await core.db.close();
    },
    async end() {
      const errors: unknown[] = [];
      for (const [core, fatal] of cores) {
        core.service.close();
        core.service.runner.abandon();
        await core.db.close();
        errors.push(...fatal);
      }
      cores.clear();
      if (errors.length > 0) throw new AggregateError(errors, "the engine reported fatal errors");
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A message with one text. */
export function textInput(text: string, metadata?: { readonly [key: string]: unknown }): InputMessage {
  const parts = [{ kind: "text" as const, text }];
  return { messageId: crypto.randomUUID(), parts, ...(metadata === undefined ? {} : { metadata }) };
}

/** A call of a tool as a scripted model makes it. */
export const call = (name: string, args: object = {}) => ({ call: { name, args } });

/** A model that begins each turn with these calls and answers in its next step with their results. */
export const caller = (calls: ScriptedTurn) =>
  scriptedModel(({ messages }) => {
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
    const read = turn.flatMap((message) => (message.role === "tool" ? [message.text] : []));
    return read.length > 0 ? read.join(" | ") : calls;
  });

/** Every committed event of a task so far. */
export async function eventsOf(core: AgentEngine, id: string): Promise<readonly CommittedEvent[]> {
  const rows = await core.db.read({ sql: "SELECT seq, at, body FROM event WHERE task = ? ORDER BY seq", args: [id] });
  return rows.map(([seq, at, body]) => ({
    seq: Number(seq),
    at: Number(at),
    event: JSON.parse(String(body)) as TaskEvent,
  }));
}

export async function eventsOfKind<K extends TaskEventKind>(core: AgentEngine, id: string, kind: K) {
  const events = (await eventsOf(core, id)).map((committed) => committed.event);
  return events.filter((event): event is Extract<TaskEvent, { kind: K }> => event.kind === kind);
}

/** The text of a task's answer. */
export function answerText(handle: TaskHandle): string | undefined {
  return handle.view.answer?.map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data))).join("");
}

/** Outcomes and results of a task's calls as their rows have them, by tool name. */
export async function callsOf(core: AgentEngine, id: string) {
  const sql = "SELECT name, outcome, result, id FROM call WHERE task = ? ORDER BY started_at, id";
  const rows = await core.db.read({ sql, args: [id] });
  return rows.map(([name, outcome, result, call]) => ({ name, outcome, result, call }));
}

/** A moment at which a commit is held. */
export interface HeldCommit {
  readonly failpoints: Failpoints;
  /** Resolves when the moment is reached. */
  readonly reached: Promise<void>;
  /** Lets the commit continue. */
  release(): void;
  /** Makes the commit fail. */
  fail(error: unknown): void;
}

/** Holds the `nth` commit that reaches the failpoint `name`. */
export function holdCommit(name: string, nth = 1): HeldCommit {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  gate.promise.catch(() => {});
  let count = 0;
  return {
    failpoints: {
      hit(at) {
        if (at !== name || ++count !== nth) return undefined;
        reached.resolve();
        return gate.promise;
      },
    },
    reached: reached.promise,
    release: () => gate.resolve(),
    fail: (error) => gate.reject(error),
  };
}

export interface CountedTool {
  readonly tool: AnyTool;
  /** Call ids of its runs, in order. */
  readonly runs: string[];
}

/** A tool without arguments that counts its runs and returns its name, unless `more` replaces that. */
export function countedTool(name: string, more: Partial<AnyTool> = {}): CountedTool {
  const runs: string[] = [];
  const { run = () => `${name} done` } = more;
  const tool = defineTool({
    name,
    description: `Counts ${name}.`,
    input: v.looseObject({}) as AnyTool["input"],
    content: "own",
    ...more,
    run(input, context) {
      runs.push(context.callId);
      return run(input, context);
    },
  });
  return { tool, runs };
}

/** A reader that keeps what it is given. */
export interface Follower {
  readonly events: readonly CommittedEvent[];
  /** Resolves when there is nothing more to come. */
  readonly done: Promise<void>;
  /** Waits for the event of this kind that is number `count` of them; default 1. */
  until(kind: TaskEventKind, count?: number): Promise<CommittedEvent>;
  /** Stops reading. */
  leave(): Promise<void>;
}

/** Follows a task from event `after` on. */
export function followed(handle: TaskHandle, after = 0, reasoning = false): Follower {
  const events: CommittedEvent[] = [];
  const abort = new AbortController();
  let watchers: { kind: TaskEventKind; count: number; resolve: (event: CommittedEvent) => void }[] = [];
  const seen = (kind: TaskEventKind, count: number) => events.filter(({ event }) => event.kind === kind)[count - 1];
  const read = async (): Promise<void> => {
    for await (const page of handle.follow(after, abort.signal, { reasoning })) {
      for (const event of page) {
        events.push(event);
        watchers = watchers.filter((watcher) => {
          const match = seen(watcher.kind, watcher.count);
          if (match !== undefined) watcher.resolve(match);
          return match === undefined;
        });
      }
    }
  };
  const done = read();
  return {
    events,
    done,
    until(kind, count = 1) {
      const known = seen(kind, count);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => watchers.push({ kind, count, resolve }));
    },
    leave() {
      abort.abort();
      return done;
    },
  };
}

/** The steps by which the store would carry a statement out. */
export async function planOf(core: AgentEngine, sql: string): Promise<string[]> {
  const args = sql.split("?").slice(1);
  const rows = await core.db.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: args.map(() => "1") });
  return rows.map((row) => String(row[3]));
}
