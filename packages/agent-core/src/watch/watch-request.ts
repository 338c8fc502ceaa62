/** What a watch is asked for with, and what it becomes. */
import { createHash } from "node:crypto";
import { OPERATOR_CLASS } from "../share/index.ts";
import { type CheckAuthor, type PreparedCheck, VerifierError, type Verifiers } from "../verifier/index.ts";
import { UNCHECKED, WATCH_LIMITS, type Watch } from "./watch.ts";
import { WatchError } from "./watch-error.ts";

/** A watch to be made. */
export interface NewWatch {
  readonly condition: string;
  /** A verifier, or the name of one. */
  readonly verifier: unknown;
  readonly id?: string | undefined;
  /** The conversation of its reactions. */
  readonly context: string;
  readonly project?: string | undefined;
  readonly runPrompt?: string | undefined;
  readonly intervalS?: number | undefined;
  readonly expiresInS?: number | undefined;
  /** Epoch milliseconds; in the place of `expiresInS`. */
  readonly deadline?: number | undefined;
  readonly stallAfter?: number | undefined;
  readonly repeat?: boolean | undefined;
  readonly trigger?: "met" | "change" | undefined;
  readonly by: CheckAuthor;
  readonly createdBy: string;
  readonly originCall?: string | undefined;
  readonly outside?: boolean | undefined;
}

/** What is changed of a watch; absent stays, null is taken away. */
export interface WatchChange {
  readonly condition?: string | undefined;
  readonly verifier?: unknown;
  readonly project?: string | undefined;
  readonly runPrompt?: string | null | undefined;
  readonly intervalS?: number | null | undefined;
  readonly expiresInS?: number | null | undefined;
  readonly deadline?: number | null | undefined;
  readonly stallAfter?: number | null | undefined;
  readonly repeat?: boolean | undefined;
  readonly trigger?: "met" | "change" | undefined;
  readonly by: CheckAuthor;
  readonly outside?: boolean | undefined;
}

const ID = /^[a-z0-9][a-z0-9_.:-]{0,63}$/;

/** The id of a watch that names none: the same for the same condition. */
export function idOf(condition: string): string {
  const slug = condition
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  const hash = createHash("sha256").update(condition).digest("hex").slice(0, 6);
  return slug === "" ? `watch-${hash}` : `${slug}-${hash}`;
}

/** @throws WatchError invalid, refused */
export async function watchOf(asked: NewWatch, verifiers: Verifiers, now: number): Promise<Watch> {
  const { condition, context, createdBy, intervalS, expiresInS, stallAfter, runPrompt } = asked;
  const id = asked.id ?? idOf(condition);
  if (!ID.test(id))
    throw new WatchError(
      "invalid",
      "a watch's id is 1 to 64 lower case letters, digits, _, ., : and -, a letter or digit first",
    );
  requireTexts(condition, runPrompt);
  const deadline = asked.deadline ?? (expiresInS === undefined ? undefined : now + expiresInS * 1_000);
  if (deadline !== undefined && deadline <= now) throw new WatchError("invalid", "the deadline has passed");
  return {
    ...{ id, class: OPERATOR_CLASS, context, condition, status: "active", state: UNCHECKED, createdAt: now },
    ...{ finishedAt: undefined, check: await prepared(asked, verifiers), intervalS, expiresInS, deadline, stallAfter },
    ...{ trigger: asked.trigger ?? "met", repeat: asked.repeat ?? false, runPrompt, createdBy },
    ...{ outside: asked.outside ?? false, originCall: asked.originCall },
  };
}

/** @throws WatchError invalid, refused */
export async function changedWatch(
  watch: Watch,
  change: WatchChange,
  verifiers: Verifiers,
  now: number,
): Promise<Watch> {
  const { condition = watch.condition, trigger = watch.trigger, repeat = watch.repeat } = change;
  const runPrompt = kept(change.runPrompt, watch.runPrompt);
  requireTexts(condition, runPrompt);
  const check = change.verifier === undefined ? watch.check : await prepared(change as NewWatch, verifiers);
  const expiresInS = kept(change.expiresInS, watch.expiresInS);
  const until = change.expiresInS == null ? change.expiresInS : now + change.expiresInS * 1_000;
  const deadline = kept(change.deadline === undefined ? until : change.deadline, watch.deadline);
  if (deadline !== watch.deadline && deadline !== undefined && deadline <= now)
    throw new WatchError("invalid", "the deadline has passed");
  // What was seen of another check says nothing about this one.
  const isOther = check !== watch.check || trigger !== watch.trigger;
  const { reaction, attempt, pending, fireCount, checkCount, suppressed } = watch.state;
  const counted = { reaction, attempt, pending, fireCount, checkCount, suppressed };
  return {
    ...watch,
    ...{ condition, check, trigger, repeat, runPrompt, expiresInS, deadline },
    intervalS: kept(change.intervalS, watch.intervalS),
    stallAfter: kept(change.stallAfter, watch.stallAfter),
    outside: watch.outside || change.outside === true,
    state: isOther ? { ...UNCHECKED, ...counted } : watch.state,
  };
}

function kept<T>(change: T | null | undefined, now: T | undefined): T | undefined {
  return change === undefined ? now : (change ?? undefined);
}

function requireTexts(condition: string, runPrompt: string | undefined): void {
  if (condition.trim() === "") throw new WatchError("invalid", "a watch has a condition");
  if (condition.length > WATCH_LIMITS.condition || (runPrompt ?? "").length > WATCH_LIMITS.prompt)
    throw new WatchError("invalid", "the condition or the prompt is too long");
}

async function prepared(
  { verifier, by, project }: Pick<NewWatch, "verifier" | "by" | "project">,
  verifiers: Verifiers,
): Promise<PreparedCheck> {
  try {
    return await verifiers.prepare(verifier, { by, project, model: false });
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error;
    throw new WatchError(error.code === "verifier.refused" ? "refused" : "invalid", error.message, { cause: error });
  }
}
