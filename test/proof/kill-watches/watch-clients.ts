/** Operators at work on the watches of a trial: each watch has one, who moves its page and knows what it was answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { askOperator } from "../ask-operator.ts";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import { LostError } from "../wire.ts";
import { checkOf, type Pages, type ProofWatch, stepOf } from "./proof-watch.ts";

/** What is known of a watch from the answers about it. */
export interface KnownWatch {
  readonly watch: ProofWatch;
  /** `asked`: the answer was lost. */
  made: "no" | "asked" | "yes";
  removed: "no" | "asked" | "yes";
  /** Where its page is. */
  step: number;
  /** A check was acknowledged that had seen this step. */
  seen: boolean;
  /** Steps whose fire must be in the store, once. */
  readonly fired: Set<number>;
  /** Its condition as it was acknowledged last; undefined: the answer was lost. */
  condition: string | undefined;
  /** It ended, by an answer. */
  ended: boolean;
}

export function knownOf(watch: ProofWatch): KnownWatch {
  const condition = String(watch.body.condition);
  return { watch, made: "no", removed: "no", step: 0, seen: false, fired: new Set(), condition, ended: false };
}

export interface WatchWork {
  readonly url: string;
  readonly ledger: Ledger;
  readonly pages: Pages;
}

interface WatchRow {
  readonly status: string;
  readonly condition: string;
  readonly was_met: boolean;
  readonly errors: number;
  readonly last_evidence: string;
}

interface WatchReply {
  readonly watch?: WatchRow;
  readonly detail?: unknown;
}

/** Works on every watch until the process ends. @throws LostError once every operator has lost the connection */
export async function workOnWatches(known: readonly KnownWatch[], work: WatchWork, random: Random): Promise<void> {
  const ends = await Promise.allSettled(
    known.map(async (one) => {
      const own = random.fork(one.watch.id);
      await lookAt(one, work);
      while (one.removed !== "yes") {
        await act(one, work, own);
        await sleep(own.int(5, 120));
      }
    }),
  );
  const worst = ends.find((end) => end.status === "rejected" && !(end.reason instanceof LostError)) ?? ends[0];
  if (worst?.status === "rejected") throw worst.reason;
}

/** What was acknowledged is still so in a later life (EN9). */
export async function lookAt(known: KnownWatch, { url, ledger }: WatchWork): Promise<void> {
  const { id } = known.watch;
  if (known.made === "no") return;
  const { status, body } = await askOperator<WatchReply>(url, { method: "GET", path: `/api/watches/${id}` });
  const isThere = status === 200;
  if (known.removed === "yes" && isThere) ledger.blame(`EN9: watch ${id} was removed, and is there again`);
  if (known.made === "yes" && known.removed === "no" && !isThere) ledger.blame(`EN9: watch ${id} is lost (${status})`);
  if (!isThere) {
    if (known.removed === "asked") known.removed = "yes";
    return;
  }
  known.made = "yes";
  if (known.removed === "asked") known.removed = "no";
  const { condition, status: state } = body.watch!;
  if (known.condition !== undefined && known.condition !== condition)
    ledger.blame(`EN9: watch ${id} was about "${known.condition}", and is about "${condition}"`);
  known.condition = condition;
  if (known.ended && state === "active") ledger.blame(`EN9: watch ${id} had ended, and is active`);
  if (state !== "active") known.ended = true;
}

/** One thing an operator does. */
async function act(known: KnownWatch, work: WatchWork, random: Random): Promise<unknown> {
  const { watch } = known;
  if (known.made !== "yes") return make(known, work);
  const kind = random.next();
  if (known.removed === "asked" || (watch.drifts && kind < 0.05)) return remove(known, work);
  if (kind < 0.15 && !known.ended) return change(known, work, random);
  if (known.ended) return lookAt(known, work);
  if (!known.seen) return see(known, work);
  if (watch.kind === "still" || watch.kind === "brief") return see(known, work);
  move(known, work.pages);
  return random.chance(0.7) ? see(known, work) : undefined;
}

async function make(known: KnownWatch, { url, ledger, pages }: WatchWork): Promise<void> {
  const { watch } = known;
  if (known.made === "no") move(known, pages);
  known.made = "asked";
  const body = { ...watch.body, ...checkOf(watch.kind, pages.url(watch.id)) };
  const request = { method: "POST", path: "/api/watches", body, key: `make-${watch.id}` };
  const { status, body: said } = await askOperator<WatchReply>(url, request);
  if (status !== 200) ledger.blame(`watch ${watch.id} was refused: ${status} ${JSON.stringify(said)}`);
  known.made = "yes";
}

/** Whether the condition holds at a step: at every other one. */
function holdsAt(step: number): boolean {
  return step % 2 === 0;
}

/** Only from a step that was seen: so every rise of the condition is one that the service saw both sides of. */
function move(known: KnownWatch, pages: Pages): void {
  known.step += 1;
  known.seen = false;
  pages.set(known.watch.id, known.step, holdsAt(known.step));
}

/** Has it checked until a check has seen the page as it is now, and notes what must follow. */
export async function see(known: KnownWatch, work: WatchWork): Promise<void> {
  const { watch, step } = known;
  // The first may be one that had begun before the page moved.
  for (let i = 0; i < 2; i++) {
    const row = await check(known, work);
    if (row === undefined) return;
    if (i === 0 || row.errors > 0) continue;
    if (watch.kind === "change" || row.was_met) {
      const at = stepOf(row.last_evidence);
      if (at !== step) work.ledger.blame(`watch ${watch.id} saw step ${at} where its page was at ${step}`);
    }
    const isFirst = known.step === 1;
    const fires = watch.kind === "change" ? !isFirst : holdsAt(step);
    if ((watch.kind === "change" || watch.kind === "met" || watch.kind === "once") && fires) known.fired.add(step);
    known.seen = true;
  }
}

async function check(known: KnownWatch, { url, ledger }: WatchWork): Promise<WatchRow | undefined> {
  const { id } = known.watch;
  const { status, body } = await askOperator<WatchReply>(url, { method: "POST", path: `/api/watches/${id}/check` });
  if (status === 409) {
    // It ended by a check of its own before this one.
    known.ended = true;
    if (known.watch.kind === "once" && holdsAt(known.step)) known.fired.add(known.step);
    return undefined;
  }
  if (status !== 200) {
    ledger.blame(`checking watch ${id} was refused: ${status} ${JSON.stringify(body)}`);
    return undefined;
  }
  if (body.watch!.status !== "active") known.ended = true;
  return body.watch;
}

async function change(known: KnownWatch, { url, ledger }: WatchWork, random: Random): Promise<void> {
  const condition = `The page of ${known.watch.id}, ${random.int(1, 1e6)}`;
  known.condition = undefined;
  const request = { method: "PATCH", path: `/api/watches/${known.watch.id}`, body: { condition } };
  const { status, body } = await askOperator<WatchReply>(url, request);
  if (status === 409) known.ended = true;
  else if (status !== 200) ledger.blame(`changing watch ${known.watch.id} was refused: ${JSON.stringify(body)}`);
  else known.condition = condition;
}

async function remove(known: KnownWatch, { url, ledger }: WatchWork): Promise<void> {
  const wasAsked = known.removed === "asked";
  known.removed = "asked";
  const { status } = await askOperator(url, { method: "DELETE", path: `/api/watches/${known.watch.id}` });
  if (status !== 200 && !(wasAsked && status === 404))
    ledger.blame(`removing watch ${known.watch.id} was refused: ${status}`);
  known.removed = "yes";
}
