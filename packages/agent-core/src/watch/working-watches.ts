import { firstOf } from "../collection/index.ts";
import { type WorkingAsk, type WorkingPart, workingLine } from "../working-state/index.ts";
import type { HeldWatches } from "./held-watch.ts";
import type { Watch } from "./watch.ts";

/** Rows that are written; the others are counted. */
const MOST = 10;

/**
 * The active watches as turns are shown them (G26): those of the conversation, then others of the operator's trust, the newest
 * first. What a check found is not among it: it changes with each check, and may hold what others wrote.
 */
export function workingWatches(watches: Pick<HeldWatches, "all">, { context }: WorkingAsk): WorkingPart | undefined {
  const isOwn = (watch: Watch): boolean => watch.context === context;
  let active = 0;
  const candidates: Watch[] = [];
  for (const { watch } of watches.all()) {
    if (watch.status !== "active") continue;
    active += 1;
    if (!watch.outside || isOwn(watch)) candidates.push(watch);
  }
  if (active === 0) return undefined;
  const shown = firstOf(
    // They are held in the order in which they were set: backwards, few come before those that were looked at.
    candidates.reverse(),
    MOST,
    (a, b) => Number(isOwn(b)) - Number(isOwn(a)) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
  );
  const rows = shown.map((watch) => ({ text: lineOf(watch), outside: watch.outside }));
  return { kind: "watches", rows, more: active - rows.length };
}

function lineOf({ id, condition, check: { spec }, deadline, repeat, state, runPrompt }: Watch): string {
  const marks = [
    spec.type === "plugin" ? spec.check : spec.type,
    ...(repeat ? ["again and again"] : []),
    ...(state.flapping ? ["flapping"] : []),
    ...(deadline === undefined ? [] : [`until ${new Date(deadline).toISOString()}`]),
    ...(runPrompt === undefined ? ["tells only"] : []),
  ];
  return `${id}: ${workingLine(condition)} (${marks.join(", ")})`;
}
