/** What scheduled jobs and watches cost: due at once, idle, with a full ledger. `pnpm bench --only autonomy` prints it, and so does `pnpm bench`. */
import type { Bound } from "../bounds.ts";
import type { Server } from "../process.ts";
import { type ArmingFigures, measureArming } from "./arming.ts";
import { type BurstFigures, measureBurst } from "./burst.ts";
import { type IdleFigures, measureIdle } from "./idle.ts";
import { type LedgerFigures, measureLedger } from "./ledger.ts";

/** Everything that was found about scheduled jobs. */
export interface AutonomyFigures {
  readonly arming: ArmingFigures;
  readonly burst: BurstFigures;
  readonly idle: IdleFigures;
  readonly ledger: LedgerFigures;
}

/** Measures one after the other. */
export async function measureAutonomy(gateway: Server): Promise<AutonomyFigures> {
  return {
    arming: await measureArming(),
    burst: await measureBurst(gateway),
    idle: await measureIdle(gateway),
    ledger: await measureLedger(gateway),
  };
}

function figure(value: number | undefined, digits = 0): string {
  return value === undefined || Number.isNaN(value) ? "–" : value.toFixed(digits);
}

/** The figures as lines. */
export function autonomyReport({ arming, burst, idle, ledger }: AutonomyFigures): string {
  const { pages } = ledger;
  const armings = arming.us.map(([timers, us]) => `${us.toFixed(2)} µs among ${timers}`);
  return [
    "scheduled jobs",
    `- a timer is moved in ${armings.join(", ")}`,
    `- ${burst.jobs} jobs due in one second beside 16 sends at once: the last is accepted after ${figure(burst.acceptedMs)} ms;` +
      ` sends go at ${figure(1 / burst.sendsLost, 2)} of their rate for 5 s`,
    `- processor: a slot's turn ${figure(burst.slotUs)} µs, a send ${figure(burst.sendUs)} µs`,
    `- ${idle.jobs} idle jobs and ${idle.watches} watches at 30 s: ${figure(idle.percent, 2)} % of a processor (without ${figure(idle.percentWithout, 2)} %),` +
      ` ${figure(idle.mb, 1)} MB more and ${figure(idle.expressionsMb, 1)} MB of a process for expressions, the store written ${idle.writes} times in a minute (without ${idle.writesWithout})`,
    `- a ledger of ${ledger.rows} rows, p50: jobs ${figure(pages.jobs, 1)} ms, runs of one ${figure(pages.runs, 1)} ms,` +
      ` calendar ${figure(pages.calendar, 1)} ms; start ${figure(ledger.startMs)} ms, of an empty store ${figure(ledger.emptyStartMs)} ms`,
    "",
  ].join("\n");
}

/** What scheduled jobs may cost. */
export function autonomyBounds({ arming, burst, idle, ledger }: AutonomyFigures): readonly Bound[] {
  const times = arming.us.map(([, us]) => us);
  const hold = (what: string, found: number | undefined, most: number): Bound => ({ what, found, most, isTime: false });
  const time = (what: string, found: number | undefined, most: number): Bound => ({ what, found, most, isTime: true });
  const { slotUs, sendUs } = burst;
  return [
    hold("moving a timer among 10, 1,000 and 10,000, slowest × fastest", Math.max(...times) / Math.min(...times), 1.5),
    time("1,000 jobs due in one second, ms until the last is accepted", burst.acceptedMs, 5_000),
    hold("sends beside them, rate without × rate with", burst.sendsLost, 1 / 0.7),
    hold(
      "a slot's turn, CPU × a send",
      slotUs === undefined || sendUs === undefined ? undefined : slotUs / sendUs,
      1.15,
    ),
    time("1,000 idle jobs and 500 watches, percent of a processor", idle.percent, 3),
    hold(
      "1,000 idle jobs and 500 watches, writes in a minute beyond those without",
      Math.max(0, idle.writes - idle.writesWithout),
      0,
    ),
    hold("1,000 idle jobs and 500 watches, MB", idle.mb, 15),
    time(`first pages at ${ledger.rows} rows of the ledger, ms`, Math.max(...Object.values(ledger.pages)), 50),
    time("start with them, ms more than with none", Math.max(0, ledger.startMs - ledger.emptyStartMs), 30),
  ];
}
