/**
 * The process that is killed: the service as `agent-service` composes it, with the proof's tools added and kill moments
 * armed. It reports to its parent over the process channel its address, and, on request, that nothing runs any more.
 */
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { compose, createLiveSettings } from "../../apps/server/src/index.ts";
import { fastClock, steadyClock, WEBHOOK_SPEED } from "./fast-clock.ts";
import type { SelfKill } from "./kill-moment.ts";
import { proofTools } from "./proof-tools.ts";

/** The messages of the process. */
export type ServiceReport =
  | { readonly kind: "ready"; readonly url: string }
  | { readonly kind: "idle"; readonly open: readonly string[] }
  | { readonly kind: "settled" };

/** What the process is asked. */
export type ServiceQuestion = "idle?" | "settled?";

const env = process.env;
const kill = JSON.parse(env.PROOF_KILL ?? "null") as SelfKill | null;
const reached = { commit: 0, left: 0, label: 0, tool: 0, note: 0 };
const speed = Number(env.PROOF_SPEED);

function hit(kind: SelfKill["kind"], side: SelfKill["side"]): void {
  if (kill?.kind !== kind || kill.side !== side) return;
  reached[kind]++;
  if (reached[kind] === kill.nth) process.kill(process.pid, "SIGKILL");
}

function report(message: ServiceReport): void {
  process.send?.(message);
}

const live = createLiveSettings({ env, flags: { port: 0, ui: "none" } });
const service = await compose(live, {
  tools: proofTools({
    deeds: env.PROOF_DEEDS ?? "",
    hit(moment) {
      if (moment === "after-note") hit("note", "after");
      else hit("tool", moment === "before-write" ? "before" : "after");
    },
  }),
  failpoints: {
    hit(name) {
      const side = name.endsWith(":before") ? "before" : "after";
      hit("commit", side);
      if (kill?.kind === "label" && name.startsWith(`${kill.label}:`)) hit("label", side);
      if (/^(inbox|board|background|knowledge)\.|^task\.(un)?steer:/.test(name)) hit("left", side);
    },
  },
  ...(speed !== 1 && { clock: steadyClock(Number(env.PROOF_EPOCH), speed) }),
  webhookClock: fastClock(Number(env.PROOF_EPOCH), WEBHOOK_SPEED),
  write: (line) => process.stderr.write(line),
});

refuseSlots(Number(env.PROOF_REFUSED_SLOTS ?? 0));

/** Refuses to accept the turn of every nth slot at its first try, as no condition that a trial could make does. */
function refuseSlots(nth: number): void {
  if (nth === 0) return;
  const { service: tasks } = service.core;
  const start = tasks.start.bind(tasks);
  let count = 0;
  // What a person runs now is no slot of a pattern.
  const isSlot = ({ input }: Parameters<typeof start>[0]): boolean => /^schedule:.*:00\.000Z:/.test(input.messageId);
  tasks.start = (asked) => (isSlot(asked) && ++count % nth === 0 ? Promise.reject(new Error("not now")) : start(asked));
}

async function tellWhenIdle(): Promise<void> {
  const { core } = service;
  const { background } = core.features;
  for (;;) {
    // What the end of a task starts, such as a turn that reports it, is running then.
    await background.idle();
    const { running, waiting } = core.load();
    const isOpen = async (): Promise<boolean> =>
      (await hasUrgentItems()) || (await hasOpenSlots()) || (await hasOpenReactions()) || (await hasOpenGoals());
    if (running + waiting === 0 && !(await isOpen())) break;
    await sleep(3);
  }
  report({ kind: "idle", open: await core.journal.openTaskIds() });
}

/** What cannot wait starts a turn, a moment after it came or after the start. */
async function hasUrgentItems(): Promise<boolean> {
  const sql = "SELECT 1 FROM inbox WHERE priority = 0 AND taken_by IS NULL LIMIT 1";
  return (await service.core.db.read({ sql, args: [] })).length > 0;
}

/** Slots that have not ended, but for those that wait for a person and those behind them. */
async function hasOpenSlots(): Promise<boolean> {
  const parked =
    "SELECT r.job FROM schedule_run r JOIN task t ON t.id = r.task WHERE r.ended_at IS NULL AND t.state = 'parked'";
  const sql = `SELECT 1 FROM schedule_run WHERE ended_at IS NULL AND job NOT IN (${parked}) LIMIT 1`;
  return (await service.core.db.read({ sql, args: [] })).length > 0;
}

/** Reactions of watches that have not ended or wait to begin, but for those that wait for a person and those behind them. */
async function hasOpenReactions(): Promise<boolean> {
  const parked = "SELECT 1 FROM task t WHERE t.id = json_extract(w.state, '$.reaction') AND t.state = 'parked'";
  const sql = `SELECT 1 FROM watch w WHERE (json_extract(state, '$.reaction') IS NOT NULL OR json_extract(state, '$.pending') > 0)
    AND NOT EXISTS (${parked}) LIMIT 1`;
  return (await service.core.db.read({ sql, args: [] })).length > 0;
}

/** Active goals that are not paused, but for those whose turn waits for a person. */
async function hasOpenGoals(): Promise<boolean> {
  const parked = "SELECT 1 FROM task t WHERE t.id = json_extract(g.state, '$.drive') AND t.state = 'parked'";
  const sql = `SELECT 1 FROM goal g WHERE status = 'active' AND json_extract(state, '$.paused') IS NULL
    AND NOT EXISTS (${parked}) LIMIT 1`;
  return (await service.core.db.read({ sql, args: [] })).length > 0;
}

/** Webhooks of every ended task were sent its end, or given up. */
async function tellWhenSettled(): Promise<void> {
  const sql =
    "SELECT count(*) FROM push_config AS c JOIN task AS t ON t.id = c.task " +
    "WHERE c.settled_at IS NULL AND t.state IN ('completed', 'failed', 'canceled')";
  for (;;) {
    const [row] = await service.core.db.read({ sql, args: [] });
    if (Number(row?.[0]) === 0) break;
    await sleep(10);
  }
  report({ kind: "settled" });
}

async function stop(): Promise<void> {
  service.stopAccepting();
  await service.drain(0);
  await service.close();
  process.exit(0);
}

process.on("message", (asked: ServiceQuestion) => void (asked === "idle?" ? tellWhenIdle() : tellWhenSettled()));
process.on("disconnect", () => process.exit(0));
process.once("SIGTERM", () => void stop());
// A process leaves what it compiled in the cache as it ends, and none of these ends by itself.
flushCompileCache();
report({ kind: "ready", url: service.url });
