import type { Database } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import type { TaskService } from "../task/index.ts";
import { callsOfTask } from "../trigger/index.ts";
import type { HeldJob } from "./held-jobs.ts";
import type { AttemptKey, Ledger } from "./ledger.ts";
import { keyOf, ownKeyOf } from "./run-key.ts";
import { type EarlierCall, runText } from "./run-message.ts";
import type { RunNotes } from "./scheduled-job.ts";

/** Calls of an earlier attempt that the next one is shown. */
const SHOWN_CALLS = 20;

/** What begins with an attempt. */
export interface Attempt {
  readonly slot: number;
  readonly attempt: number;
  /** Milliseconds the slot is late by; undefined: it is not. */
  readonly late?: number | undefined;
  /** Why the check before it could not be made. */
  readonly unchecked?: string | undefined;
  /** How the attempt before it ended. */
  readonly before?: { readonly why: string; readonly calls: readonly EarlierCall[] } | undefined;
}

/** The message of an attempt, its name and its key here, and whether it holds what came from outside. @throws DatabaseError */
export async function attemptText(
  { job, last }: Pick<HeldJob, "job" | "last">,
  { slot, attempt, late, unchecked, before }: Attempt,
  { service, ledger }: { readonly service: Pick<TaskService, "get">; readonly ledger: Pick<Ledger, "isTainted"> },
): Promise<{ readonly text: string; readonly tainted: boolean; readonly name: string; readonly key: string }> {
  const seen = job.fresh && attempt === 1 ? last?.task : undefined;
  const view = seen === undefined ? undefined : (await service.get(seen))?.view;
  const lastAnswer = view === undefined ? undefined : answerOf(view);
  const of = { class: job.class, context: job.context };
  const tainted =
    job.outside || (seen !== undefined && lastAnswer !== undefined && (await ledger.isTainted({ ...of, task: seen })));
  const text = runText({ job: job.id, prompt: job.prompt, slot, attempt, late, unchecked, before, lastAnswer });
  const which = { slot, attempt };
  return { text, tainted, name: keyOf(job.id, which), key: ownKeyOf(job.id, which) };
}

/** What the attempt before one did; undefined: there is none. @throws DatabaseError */
export async function attemptBefore(
  { job, slot, attempt }: AttemptKey,
  { ledger, db }: { readonly ledger: Pick<Ledger, "attempt">; readonly db: Database },
): Promise<Attempt["before"]> {
  if (attempt === 1) return undefined;
  const earlier = await ledger.attempt({ job, slot, attempt: attempt - 1 });
  const calls = earlier?.task === undefined ? [] : await callsOfTask(db, earlier.task);
  const shown = calls.slice(0, SHOWN_CALLS).map(({ name, outcome }) => ({ name, outcome: outcome ?? "none" }));
  if (earlier?.state === "interrupted") return { why: "was interrupted by a restart of the service", calls: shown };
  return { why: earlier?.reason === undefined ? "failed" : `failed: ${earlier.reason}`, calls: shown };
}

function answerOf({ answer }: Readonly<TaskView>): string | undefined {
  const texts = (answer ?? []).flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

/** What is kept of a message that is sent elsewhere: under one key always the same is sent. */
export function notesOf({ text, tainted }: { readonly text: string; readonly tainted: boolean }): RunNotes {
  return { text, ...(tainted && { outside: true }) };
}
