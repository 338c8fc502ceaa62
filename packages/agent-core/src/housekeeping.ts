/** What an engine does by itself, again and again: looks for silent turns, lets go of idle records, removes the expired. */
import type { Clock } from "./clock/index.ts";
import type { Database } from "./database/index.ts";
import { type Retention, removeExpired } from "./journal/index.ts";
import type { WarmHeart } from "./model/index.ts";
import { INCOGNITO_IDLE_MS, type IncognitoTurns, type Sessions } from "./session/index.ts";
import type { TaskService } from "./task/index.ts";
import type { TurnDeps } from "./turn/index.ts";
import type { Webhooks } from "./webhook/index.ts";

/** Milliseconds between two looks for silent turns and idle records. */
const TICK_MS = 5_000;
/** Milliseconds between two rounds of retention. */
const RETENTION_MS = 3_600_000;
const DAY_MS = 86_400_000;

type RetentionOption = Partial<Retention> | (() => Partial<Retention>) | undefined;

/** What is kept in order. */
export interface HouseParts {
  readonly clock: Clock;
  readonly deps: TurnDeps;
  readonly service: TaskService;
  readonly sessions: Sessions;
  readonly incognito: IncognitoTurns;
  readonly webhooks: Webhooks | undefined;
  readonly heart: WarmHeart | undefined;
}

/** Begins; answers the function that ends it. */
export function keepHouse(
  retention: RetentionOption,
  { clock, deps, service, sessions, incognito, webhooks, heart }: HouseParts,
): () => void {
  const stopTicking = every(clock, TICK_MS, () => {
    service.runner.endSilent();
    heart?.look();
    deps.journal.sweep();
  });
  const stopSweeping = every(clock, RETENTION_MS, () => {
    removeOld(retention, { db: deps.db, sessions, incognito, webhooks, now: clock.now() }).catch((error: unknown) => {
      deps.log.warn(`retention: ${String(error)}`);
    });
  });
  return () => {
    stopTicking();
    heart?.stop();
    stopSweeping();
  };
}

interface Aging {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly incognito: IncognitoTurns;
  readonly webhooks: Webhooks | undefined;
  readonly now: number;
}

/** One round of retention (ruling R12). */
async function removeOld(retention: RetentionOption, { db, sessions, incognito, webhooks, now }: Aging): Promise<void> {
  const told = typeof retention === "function" ? retention() : retention;
  const keep: Retention = { retentionDays: 30, conversationDays: 30, ...told };
  await removeExpired(db, now, keep);
  await sessions.sweep(now - keep.conversationDays * DAY_MS);
  await incognito.endIdle(now - INCOGNITO_IDLE_MS);
  await webhooks?.sweep();
}

/** Repeats `run` every `ms` without keeping the process alive. Returns a function that stops it. */
function every(clock: Clock, ms: number, run: () => void): () => void {
  let timer = clock.setTimeout(tick, ms, { background: true });
  function tick(): void {
    run();
    timer = clock.setTimeout(tick, ms, { background: true });
  }
  return () => timer.cancel();
}
