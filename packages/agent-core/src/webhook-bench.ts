/** Webhooks over a real store and a journal that a test writes by hand; receivers and time are its own. For tests. */
import { type Database, openDatabase } from "./database/index.ts";
import { benchThreads } from "./database-bench.ts";
import { type Egress, EgressError } from "./egress/index.ts";
import { NO_USAGE, type TaskEvent } from "./event/index.ts";
import { Journal, type TaskRecord } from "./journal/index.ts";
import { type ManualClock, manualClock } from "./testing/index.ts";
import { type PushConfig, type RenderWebhook, Webhooks } from "./webhook/index.ts";

/** How a receiver behaves: a status, silence, or a connection that breaks. */
export type Behaviour = number | "hang" | "vanish";

/** A POST as a receiver saw it. */
export interface SeenPost {
  readonly at: number;
  readonly url: string;
  readonly id: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** What became of it, as the sender saw it. */
  end: "answered" | "aborted" | undefined;
}

/** Receivers behind the port of the network. */
export interface FakeReceivers {
  readonly egress: Egress;
  readonly posts: readonly SeenPost[];
  /** POSTs that wait for an answer which does not come. */
  readonly hanging: number;
  /** Decides how the next POSTs are answered. */
  behave(behaviour: Behaviour | ((post: SeenPost) => Behaviour)): void;
  /** Answers the oldest POST that hangs. */
  answer(status: number): void;
  /** Resolves once there were as many POSTs. */
  until(count: number): Promise<void>;
}

function fakeReceivers(clock: ManualClock): FakeReceivers {
  const posts: SeenPost[] = [];
  const waiting: { resolve(status: number): void }[] = [];
  let decide: (post: SeenPost) => Behaviour = () => 200;
  let watchers: { count: number; resolve(): void }[] = [];
  const request: Egress["request"] = async (url, { headers = {}, body = "", signal } = {}) => {
    const id = headers["x-a2a-event-id"] ?? "";
    const post: SeenPost = { at: clock.now(), url: String(url), id, headers, body: String(body), end: undefined };
    posts.push(post);
    watchers = watchers.filter(({ count, resolve }) => posts.length < count || resolve());
    const behaviour = decide(post);
    if (behaviour === "vanish") throw new EgressError("egress.network", "the request to it failed (ECONNRESET)");
    const hang = Promise.withResolvers<number>();
    signal?.addEventListener("abort", () => {
      if (post.end !== undefined) return;
      post.end = "aborted";
      waiting.splice(waiting.indexOf(hang), 1);
      hang.reject(signal.reason);
    });
    if (behaviour === "hang") waiting.push(hang);
    else hang.resolve(behaviour);
    const status = await hang.promise;
    post.end = "answered";
    return { url: String(url), status, headers: {}, body: new Uint8Array(), cut: false };
  };
  return {
    egress: { request, check: async (url) => new URL(url) },
    posts,
    get hanging() {
      return waiting.length;
    },
    behave(behaviour) {
      decide = typeof behaviour === "function" ? behaviour : () => behaviour;
    },
    answer: (status) => waiting.shift()?.resolve(status),
    until(count) {
      if (posts.length >= count) return Promise.resolve();
      return new Promise((resolve) => watchers.push({ count, resolve }));
    },
  };
}

/** Events a test writes, by short names. */
export const EVENTS = {
  accepted: {
    kind: "task.accepted",
    class: "operator",
    context: "c",
    origin: "a2a",
    input: { messageId: "m", parts: [{ kind: "text", text: "hi" }] },
    state: "running",
  },
  delta: { kind: "text.delta", text: "some" },
  started: { kind: "tool.started", call: "1", name: "look", args: "{}" },
  finished: { kind: "tool.finished", call: "1", name: "look", outcome: "ok", result: "seen", ms: 1 },
  parked: { kind: "task.parked", prompts: [] },
  answered: {
    kind: "prompt.answered",
    promptId: "p",
    answer: { messageId: "m", parts: [] },
    state: "running",
  },
  answer: { kind: "answer", parts: [{ kind: "text", text: "done" }] },
  completed: { kind: "task.completed", usage: NO_USAGE, durationMs: 1 },
  failed: { kind: "task.failed", failure: { code: "x", message: "no" }, usage: NO_USAGE, durationMs: 1 },
} as const satisfies { readonly [name: string]: TaskEvent };

/** Renders an event as its kind; a completed task in version 1.0 as its artifacts first, each in a POST of its own. */
export const renderKinds: RenderWebhook = (config, { event, artifacts }) => {
  const before = config.version === "1.0" ? artifacts : [];
  return [...before, event].map(({ seq, event: { kind } }) => ({
    seq,
    headers: { "x-a2a-event-id": `${config.task}/${seq}` },
    body: kind,
  }));
};

export interface WebhookBench {
  readonly db: Database;
  readonly journal: Journal;
  readonly clock: ManualClock;
  readonly receivers: FakeReceivers;
  readonly webhooks: Webhooks;
  readonly log: string[];
  /** What the webhooks gave the host's redactor. */
  readonly secrets: ReadonlySet<string>;
  /** `outcome` or `outcome: reason`, in order. */
  readonly outcomes: string[];
  /** The config of a task under a short name. */
  config(task: string, more?: Partial<PushConfig>): PushConfig;
  /** Accepts a task, with webhooks in the same commit. */
  accept(task: string, ...configs: PushConfig[]): Promise<TaskRecord>;
  append(record: TaskRecord, ...events: TaskEvent[]): Promise<void>;
  /** Waits until everything that can happen without time passing has happened. */
  rest(): Promise<void>;
  /** Lets time pass in steps, resting at each timer. */
  pass(ms: number): Promise<void>;
  /** Kills the webhooks' process, as far as they are concerned, and starts them again on what is stored. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** Makes a bench; the store is memory unless given. */
export async function webhookBench(
  render: RenderWebhook = renderKinds,
  url: string = ":memory:",
): Promise<WebhookBench> {
  const clock = manualClock();
  const db = await openDatabase({ url, owner: { name: "test" }, threads: benchThreads });
  const journal = new Journal({ db, clock });
  const receivers = fakeReceivers(clock);
  const [outcomes, log, secrets]: [string[], string[], Set<string>] = [[], [], new Set()];
  const start = (): Webhooks =>
    new Webhooks(
      {
        egress: () => receivers.egress,
        render,
        onOutcome: (_config, outcome, reason) =>
          outcomes.push(reason === undefined ? outcome : `${outcome}: ${reason}`),
        secrets,
      },
      { db, journal, clock, bus: { publish() {} }, log: { warn: (message) => log.push(message) } },
    );
  let webhooks = start();
  const rest = async (): Promise<void> => {
    // A store answers from its thread, so there is no number of turns of the loop after which all is quiet.
    do await new Promise((resolve) => setImmediate(resolve));
    while (webhooks.load().active > receivers.hanging);
  };
  return {
    db,
    journal,
    clock,
    receivers,
    ...{ log, secrets },
    outcomes,
    get webhooks() {
      return webhooks;
    },
    config: (task, more = {}) => ({
      task,
      class: "operator",
      id: task,
      context: "c",
      version: "0.3",
      url: "https://receiver.test/hook",
      ...more,
    }),
    async accept(task, ...configs) {
      const registered = configs.map((config) => webhooks.register(config));
      const { record, committed } = journal.create(
        { id: task, class: "operator", context: "c", origin: "a2a", options: "{}" },
        { label: "accept", events: [EVENTS.accepted], statements: registered.map(({ statement }) => statement) },
      );
      await committed;
      for (const { watch } of registered) watch();
      return record;
    },
    append: (record, ...events) => journal.append(record, { label: "append", events }),
    rest,
    async pass(ms) {
      const until = clock.now() + ms;
      await rest();
      for (let next = clock.nextAt(); next !== undefined && next <= until; next = clock.nextAt()) {
        await clock.advance(next - clock.now());
        await rest();
      }
      await clock.advance(until - clock.now());
    },
    async restart() {
      await webhooks.stop(0);
      // What is on its way to the store arrives, as it would have before the kill, or it does not matter.
      await rest();
      webhooks = start();
      await webhooks.resume();
    },
    async end() {
      await webhooks.stop(0);
      await db.close();
    },
  };
}
