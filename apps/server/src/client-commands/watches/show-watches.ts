/** The forms of `agent-service watches` that read. */
import type { WatchRow } from "@agent-service/operator-api";
import { allPages } from "../all-pages.ts";
import type { CommandContext } from "../command.ts";
import { timeOf } from "../commands/tasks.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, positionalsOf, refuseArguments } from "../flag-values.ts";
import { clean, columns, facts, oneLine } from "../terminal-text.ts";

function timeOrDash(at: string | null): string {
  return at === null ? "-" : timeOf(at);
}

function stateOf({ status, flapping, errors }: WatchRow): string {
  if (status !== "active") return status;
  if (errors > 0) return "failing";
  return flapping ? "flapping" : status;
}

export async function listWatches(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, positionals, write, writeJson, note } = context;
  refuseArguments("watches list", positionals.slice(1));
  const limit = limitFlag(flags);
  let state = { enabled: true, poller: true };
  const { rows, more } = await allPages(
    async (cursor) => {
      const page = await api.get("/api/watches", { query: { limit: Math.min(500, limit), cursor } });
      state = { enabled: page.enabled, poller: page.poller };
      return page;
    },
    ({ watches }) => watches,
    limit,
  );
  if (json) writeJson({ ...state, watches: rows, more });
  else if (rows.length === 0) note("Nothing is watched.\n");
  else {
    const cells = rows.map((watch) => [
      ...[watch.id, stateOf(watch), checkOf(watch), String(watch.fire_count)],
      ...[timeOrDash(watch.last_checked), timeOrDash(watch.next_check_at), oneLine(watch.condition, 60)],
    ]);
    write(columns(["WATCH", "STATE", "CHECK", "FIRES", "CHECKED", "NEXT", "CONDITION"], cells, io.stdout));
  }
  if (!state.enabled) note("The agent sets none by itself: watches.enabled\n");
  if (!state.poller) note("Watches are not checked: watches.poller\n");
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}

function checkOf({ check, verifier }: WatchRow): string {
  return check ?? String(verifier.type);
}

export async function showWatch(context: CommandContext): Promise<ExitCode> {
  const { api, json, writeJson } = context;
  const [watch_id = ""] = positionalsOf(context, "the id of a watch");
  const { watch } = await api.get("/api/watches/{watch_id}", { params: { watch_id } });
  if (json) writeJson({ watch });
  else writeWatch(context, watch);
  return EXIT.ok;
}

/** A watch for people. */
export function writeWatch({ write }: Pick<CommandContext, "write">, watch: WatchRow): void {
  const { repeat, trigger, last_reason, last_evidence, stall_after, interval_s } = watch;
  const fires = `${watch.fire_count}, ${watch.check_count} checks${watch.suppressed > 0 ? `, ${watch.suppressed} without a reaction` : ""}`;
  const when = trigger === "met" ? "it becomes true" : "what is checked changes";
  write(
    facts([
      ["watch", `${watch.id} (${stateOf(watch)})`],
      ["fires", `${fires}; ${repeat ? "each time" : "once"} ${when}`],
      ["check", JSON.stringify(watch.verifier)],
      ["checked", `${timeOrDash(watch.last_checked)}, next ${timeOrDash(watch.next_check_at)}`],
      interval_s === null ? undefined : ["interval", `${interval_s} s at least`],
      last_reason === "" ? undefined : ["found", last_reason],
      watch.deadline === null ? undefined : ["until", timeOf(watch.deadline)],
      stall_after === null ? undefined : ["stalls", `after ${stall_after} unchanged checks`],
      ["session", watch.run_session],
      ["then", watch.run_prompt === null ? "a message" : watch.run_prompt],
      ["by", watch.created_by],
    ]),
  );
  write(`\n${clean(watch.condition)}\n`);
  if (last_evidence !== "") write(`\n${clean(last_evidence)}\n`);
}

export async function showFires(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, write, writeJson } = context;
  const [watch_id = ""] = positionalsOf(context, "the id of a watch");
  const limit = limitFlag(flags);
  const { rows, more } = await allPages(
    (cursor) =>
      api.get("/api/watches/{watch_id}/fires", {
        params: { watch_id },
        query: { limit: Math.min(200, limit), cursor },
      }),
    ({ fires }) => fires,
    limit,
  );
  if (json) writeJson({ fires: rows, more });
  else if (rows.length === 0) note("It has not fired yet.\n");
  else {
    const cells = rows.map(({ at, kind, task_id, reason }) => [timeOf(at), kind, task_id ?? "-", oneLine(reason, 80)]);
    write(columns(["AT", "KIND", "TASK", "REASON"], cells, io.stdout));
  }
  if (more) note(`There are more: --limit ${limit * 2}\n`);
  return EXIT.ok;
}
