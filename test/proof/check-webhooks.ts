/** Holds what receivers got against the journal and the rows of webhooks (W1, W2, A18). */
import { DatabaseSync } from "node:sqlite";
import type { Hook, Job } from "./jobs.ts";
import type { Ledger } from "./ledger.ts";
import type { Manners, Post, Receivers } from "./receivers.ts";

interface ConfigRow {
  readonly id: string;
  readonly task: string;
  readonly version: string;
  readonly cursor: number;
  readonly settled: number | null;
  readonly state: string;
  readonly seq: number;
}

/** What a trial knows about its webhooks. */
export interface WebhookEvidence {
  readonly jobs: readonly Job[];
  readonly receivers: Receivers;
  readonly ledger: Ledger;
  /** Each may have come between a POST and its note in the store, so it allows one more. */
  readonly kills: number;
}

/** For the report. */
export interface WebhookFigures {
  /** Registered. */
  readonly webhooks: number;
  /** Received. */
  readonly posts: number;
  /** Received again under an id that had come before. */
  readonly repeatedPosts: number;
  /** Of trials on a machine that kept up, so that their numbers were checked too. */
  readonly countedPosts: number;
}

const TERMINAL = ["completed", "failed", "canceled"];
/** Milliseconds by which this process may be late for the numbers of POSTs to be checked. */
const MOST_LATE_MS = 250;
/** POSTs of one event: the first and three retries (W2). */
const MOST_TRIES = 4;

/** Receivers whose response is final. */
const ONE_TRY: readonly Manners[] = ["takes", "unknown", "redirects"];

/** POSTs of an end that at least come. */
const LEAST_TRIES: { readonly [manners in Manners]: number } = {
  ...{ takes: 1, unknown: 1, redirects: 1, gone: 0 },
  // Two are refused before one is taken.
  late: 3,
  ...{ fails: MOST_TRIES, vanishes: MOST_TRIES, silent: MOST_TRIES },
};

/** The state an event puts a task in, as in webhooks. */
const STATES: { readonly [kind: string]: string } = {
  "task.accepted": "working",
  "tool.started": "working",
  "tool.finished": "working",
  "prompt.answered": "working",
  "task.parked": "input-required",
  "prompt.rejected": "input-required",
  "task.completed": "completed",
  "task.failed": "failed",
  "task.canceled": "canceled",
};

/** One POST taken apart. */
interface Delivered {
  readonly task: string;
  readonly seq: number;
  /** As the event's `STATES`; `artifact` for what a completed task made. */
  readonly what: string;
  /** The text it brings, of an answer. */
  readonly text: string;
}

interface Body {
  readonly taskId?: string;
  readonly status?: { readonly state: string };
  readonly artifact?: { readonly parts: readonly { readonly text?: string }[] };
  readonly statusUpdate?: Body;
  readonly artifactUpdate?: Body;
}

function deliveredBy(post: Post, version: Hook["version"]): Delivered | undefined {
  if (post.body === undefined) return undefined;
  const body = JSON.parse(post.body) as Body;
  const update = version === "1.0" ? (body.statusUpdate ?? body.artifactUpdate) : body;
  const [task = "", seq] = post.id.split("/");
  const state = update?.status?.state ?? "artifact";
  return {
    task: update?.taskId === task ? task : "",
    seq: Number(seq),
    what: state.replace("TASK_STATE_", "").replace("_", "-").toLowerCase(),
    text: update?.artifact?.parts.map((part) => part.text ?? "").join("") ?? "",
  };
}

function isOnTime({ receivers }: WebhookEvidence): boolean {
  return receivers.lateness.worst <= MOST_LATE_MS;
}

/** Checks one webhook by what its receiver saw. */
function checkPosts(
  hook: Hook,
  posts: readonly Post[],
  row: ConfigRow,
  kinds: ReadonlyMap<number, string>,
  evidence: WebhookEvidence,
): void {
  const { ledger, kills } = evidence;
  const blame = (what: string): void => ledger.blame(`W2: webhook ${hook.name} (${hook.manners}) ${what}`);
  let newest = 0;
  for (const post of posts) {
    const seq = Number(post.id.split("/")[1]);
    if (seq < newest) blame(`was sent event ${seq} after event ${newest}`);
    newest = Math.max(newest, seq);
    const delivered = deliveredBy(post, hook.version);
    if (delivered === undefined) continue;
    const kind = kinds.get(seq) ?? "none";
    const expected = kind === "answer" || kind === "component.shown" ? "artifact" : STATES[kind];
    if (delivered.task !== row.task || delivered.what !== expected) {
      blame(`was sent "${delivered.what}" of ${delivered.task} as ${post.id}, which is ${kind} of ${row.task}`);
    }
  }
  for (const [id, tries] of Map.groupBy(posts, (post) => post.id)) {
    const bodies = new Set(tries.flatMap(({ body }) => (body === undefined ? [] : [body])));
    if (bodies.size > 1) blame(`was sent two things as ${id}: ${[...bodies].join(" and ")}`);
    const most = kills + (ONE_TRY.includes(hook.manners) ? 1 : MOST_TRIES);
    if (isOnTime(evidence) && tries.length > most) blame(`was sent ${id} ${tries.length} times`);
  }
  if (TERMINAL.includes(row.state)) checkEnd(hook, posts, row, evidence, blame);
}

/** No end is lost within the retry policy: it was taken, or tried as often as a receiver of these manners is. */
function checkEnd(
  hook: Hook,
  posts: readonly Post[],
  row: ConfigRow,
  evidence: WebhookEvidence,
  blame: (what: string) => void,
): void {
  if (row.settled === null || row.cursor !== row.seq) blame(`was never sent the end: ${row.cursor} of ${row.seq}`);
  const tries = posts.filter((post) => post.id === `${row.task}/${row.seq}`);
  const taken = tries.some((post) => post.taken);
  if ((hook.manners === "takes" || hook.manners === "late") && !taken)
    blame(`was not sent the end ${row.task}/${row.seq}`);
  if (isOnTime(evidence) && tries.length < LEAST_TRIES[hook.manners])
    blame(`was sent the end ${tries.length} times only`);
  const job = evidence.jobs.find((one) => one.hook === hook || one.lateHook === hook);
  if (row.state !== "completed" || !taken || job === undefined) return;
  const texts = posts.map((post) => deliveredBy(post, hook.version)?.text ?? "");
  if (!texts.some((text) => text !== "" && text.includes(job.says))) blame(`was not sent the answer ${job.says}`);
}

/** Checks every webhook of a trial. */
export function checkWebhooks(file: string, evidence: WebhookEvidence): WebhookFigures {
  const { jobs, receivers, ledger } = evidence;
  const db = new DatabaseSync(file);
  const rows = db
    .prepare(
      "SELECT c.id, c.task, c.version, c.cursor, c.settled_at AS settled, t.state, t.seq FROM push_config AS c JOIN task AS t ON t.id = c.task",
    )
    .all() as unknown as ConfigRow[];
  const events = db.prepare("SELECT task, seq, kind FROM event").all() as { task: string; seq: number; kind: string }[];
  db.close();
  const kinds = new Map(
    [...Map.groupBy(events, ({ task }) => task)].map(([task, of]) => [
      task,
      new Map(of.map(({ seq, kind }) => [seq, kind])),
    ]),
  );
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = new Map(ledger.hooks.map(({ taskId, hook }) => [hook.name, taskId]));
  for (const { token, id } of ledger.tasks.values()) {
    const hook = token === "" ? undefined : jobs.find((job) => job.token === token)?.hook;
    if (hook !== undefined) acknowledged.set(hook.name, id);
  }
  for (const [name, task] of acknowledged) {
    const row = rowOf.get(name);
    if (row?.task !== task)
      ledger.blame(`EN9: webhook ${name} of task ${task} is lost: there is ${row?.task ?? "none"}`);
  }
  for (const stray of receivers.strays) ledger.blame(`W2: there was a request to a receiver for ${stray}`);
  const hooks = jobs.flatMap(({ hook, lateHook }) => [hook, lateHook].filter((one) => one !== undefined));
  const received = Map.groupBy(receivers.posts, ({ path }) => path.split("/")[2] ?? "");
  let repeatedPosts = 0;
  for (const hook of hooks) {
    const posts = (received.get(hook.name) ?? []).toSorted((a, b) => a.order - b.order);
    repeatedPosts += posts.length - new Set(posts.map(({ id }) => id)).size;
    const row = rowOf.get(hook.name);
    if (row === undefined) {
      if (posts.length > 0) ledger.blame(`EN1: webhook ${hook.name} was sent something without being registered`);
    } else checkPosts(hook, posts, row, kinds.get(row.task) ?? new Map(), evidence);
  }
  const countedPosts = isOnTime(evidence) ? receivers.posts.length : 0;
  return { webhooks: rows.length, posts: receivers.posts.length, repeatedPosts, countedPosts };
}
