/** Watches for the operator API. */
import {
  ACTIVITY_CONTEXT,
  type ShownWatch,
  type Verifiers,
  WatchError,
  type WatchErrorCode,
  type Watches,
} from "@agent-service/agent-core/host";
import { Problem, type WatchesService, type WatchRow } from "@agent-service/operator-api";
import { asSentence } from "../../surfaces/operator/index.ts";

export interface WatchesServiceParts {
  readonly watches: Watches;
  readonly verifiers: Verifiers;
  /** Whether the agent has the tools. */
  readonly enabled: () => boolean;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
}

const STATUS: { readonly [code in WatchErrorCode]: number } = {
  ...{ invalid: 400, refused: 403, unknown_watch: 404, too_many: 409, ended: 409, off: 503 },
};
const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

/** A watch as a row of the API. */
export function watchRow({ watch, nextCheckAt }: ShownWatch, redact: (text: string) => string): WatchRow {
  const { state, check } = watch;
  const { spec, project } = check;
  const verifier = JSON.parse(redact(JSON.stringify(spec))) as WatchRow["verifier"];
  const isNamed = spec.type === "plugin";
  return {
    ...{ id: watch.id, condition: redact(watch.condition), status: watch.status },
    ...{ check: isNamed ? spec.check : null, check_args: isNamed ? (verifier.args as WatchRow["check_args"]) : null },
    ...{ verifier, project: project === "" ? null : project },
    ...{ trigger: watch.trigger, on_change: watch.trigger === "change", repeat: watch.repeat },
    run_prompt: watch.runPrompt === undefined ? null : redact(watch.runPrompt),
    ...{ run_session: watch.context, interval_s: watch.intervalS ?? null, expires_in_s: watch.expiresInS ?? null },
    ...{ deadline: isoOrNull(watch.deadline), expires_at: isoOrNull(watch.deadline) },
    ...{ stall_after: watch.stallAfter ?? null, was_met: state.wasMet, check_count: state.checkCount },
    ...{ fire_count: state.fireCount, consecutive_fires: state.consecutiveFires, flap_warned: state.flapping },
    ...{ flapping: state.flapping, suppressed: state.suppressed, pending: state.pending },
    ...{ reaction_task_id: state.reaction ?? null, errors: state.errors, last_checked: isoOrNull(state.lastChecked) },
    ...{ last_reason: state.lastReason ?? "", last_evidence: state.lastEvidence ?? "" },
    ...{ stall_streak: state.stallStreak, stalled_notified: state.stalled, next_check_at: isoOrNull(nextCheckAt) },
    ...{ created_by: watch.createdBy, created_at: iso(watch.createdAt), finished_at: isoOrNull(watch.finishedAt) },
  };
}

export function watchesService({ watches, verifiers, enabled, redact }: WatchesServiceParts): WatchesService {
  const rowOf = (shown: ShownWatch): WatchRow => watchRow(shown, redact);
  const positionOf = ({ watch }: ShownWatch) => ({ at: watch.createdAt, id: watch.id });
  return {
    enabled,
    poller: () => watches.isOn,
    list({ limit, after }) {
      const isAfter = (shown: ShownWatch): boolean => {
        if (after === undefined) return true;
        const { at, id } = positionOf(shown);
        return at < after.at || (at === after.at && id > after.id);
      };
      const page = watches.list().filter(isAfter).slice(0, limit);
      return page.map((shown) => ({ row: rowOf(shown), position: positionOf(shown) }));
    },
    read: (id) => rowOf(watches.get(id) ?? refuse(404, "There is no such watch.")),
    async create({ watch_id, run_session, condition, ...body }, key) {
      const verifier = verifierOf(body) ?? refuse(400, "Name a check: `check`, or a `verifier`.");
      const { runPrompt, ...asked } = changeOf(body);
      const { intervalS, expiresInS, deadline, stallAfter, ...rest } = asked;
      const shown = await watches
        .create({
          ...{ condition, verifier, id: watch_id, context: run_session ?? ACTIVITY_CONTEXT, ...rest },
          ...{
            intervalS: intervalS ?? undefined,
            expiresInS: expiresInS ?? undefined,
            deadline: deadline ?? undefined,
          },
          ...{ stallAfter: stallAfter ?? undefined, runPrompt: runPrompt ?? undefined },
          ...{ createdBy: "operator", originCall: key?.key },
        })
        .catch(refused);
      return { message: shown.replaced ? "The watch was replaced." : "It is watched.", watch: rowOf(shown) };
    },
    async edit(id, { condition, ...body }) {
      const shown = await watches
        .update(id, { condition, verifier: verifierOf(body), ...changeOf(body) })
        .catch(refused);
      return { message: "The watch was changed.", watch: rowOf(shown) };
    },
    async clear(id) {
      if (!(await watches.clear(id))) refuse(404, "There is no such watch.");
    },
    async fires(id, page) {
      const fires = await watches.fires(id, page).catch(refused);
      return fires.map(({ at, task, ...fire }) => ({ ...fire, at: iso(at), task_id: task ?? null }));
    },
    check: async (id) => rowOf(await watches.check(id).catch(refused)),
    verifiers: () => verifiers.list().map(({ args, ...named }) => ({ ...named, args: { ...args } })),
  };
}

type Change = Parameters<WatchesService["edit"]>[1];

/** The check that is asked for; undefined: none is. */
function verifierOf({ check, check_args, verifier }: Change): unknown {
  if (check !== undefined && verifier !== undefined) refuse(400, "Name a check or a verifier, not both.");
  if (check === undefined && check_args !== undefined) refuse(400, "Name the check with its arguments.");
  return verifier ?? (check === undefined ? undefined : { type: "plugin", check, args: check_args ?? {} });
}

function changeOf(body: Change) {
  const { run_prompt, interval_s, expires_in_s, deadline, stall_after, repeat, on_change, project } = body;
  const trigger = body.trigger ?? (on_change === undefined ? undefined : on_change ? "change" : "met");
  return {
    ...{ by: "operator" as const, project, repeat, trigger: trigger as "met" | "change" | undefined },
    runPrompt: run_prompt?.trim() === "" ? null : run_prompt,
    ...{ intervalS: interval_s, expiresInS: expires_in_s, stallAfter: stall_after, deadline: timeOf(deadline) },
  };
}

/** Epoch milliseconds. */
function timeOf(time: number | string | null | undefined): number | null | undefined {
  if (time === undefined || time === null) return time;
  const at = typeof time === "number" ? time * 1_000 : Date.parse(time);
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) refuse(400, "The deadline is no time.");
  return at;
}

function refuse(status: number, detail: string): never {
  throw new Problem(status, detail);
}

function refused(error: unknown): never {
  if (!(error instanceof WatchError)) throw error;
  throw new Problem(STATUS[error.code], asSentence(error.message), error.code === "off" ? { retryAfter: 60 } : {});
}
