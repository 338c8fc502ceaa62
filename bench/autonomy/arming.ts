/** What it takes to set a timer among others, without its commit. */
import { DurableTimers, openDatabase } from "@agent-service/agent-core/host";

const SIZES = [10, 1_000, 10_000] as const;
/** Timers that are moved in each round. */
const MOVED = 1_000;
const ROUNDS = 40;
const DAY_MS = 86_400_000;

export interface ArmingFigures {
  /** Microseconds by the number of timers. */
  readonly us: readonly (readonly [timers: number, us: number])[];
}

function clock() {
  return {
    now: () => Date.now(),
    setTimeout(run: () => void, ms: number) {
      const timer = setTimeout(run, ms);
      timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

async function armed(count: number) {
  const db = await openDatabase({ url: ":memory:", owner: { name: "bench" } });
  const none = (): void => {};
  const bus = { publish: none } as unknown as ConstructorParameters<typeof DurableTimers>[0]["bus"];
  const log = { warn: none, debug: none };
  const timers = new DurableTimers({ db, clock: clock(), log, bus, fire: () => undefined });
  const base = Date.now() + DAY_MS;
  let random = 1;
  const set = (number: number): Promise<void> => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const due = base + (random % DAY_MS);
    const timer = { id: `schedule:${number}`, kind: "schedule", class: "operator", context: "", due, body: {} };
    return timers.setWithin(timer, async () => {});
  };
  for (let number = 0; number < count; number++) await set(number);
  const move = async (): Promise<number> => {
    const began = performance.now();
    for (let at = 0; at < MOVED; at++) await set(at % count);
    return ((performance.now() - began) * 1_000) / MOVED;
  };
  const close = async (): Promise<void> => {
    await timers.stop();
    await db.close();
  };
  return { count, move, close };
}

/** Moves timers among few and many, in turns. */
export async function measureArming(): Promise<ArmingFigures> {
  const sides = await Promise.all(SIZES.map(armed));
  const found = sides.map(() => [] as number[]);
  for (let round = -5; round < ROUNDS; round++) {
    for (const [at, { move }] of sides.entries()) {
      const us = await move();
      // The first rounds compile.
      if (round >= 0) found[at]?.push(us);
    }
  }
  for (const { close } of sides) await close();
  // What else the machine does only adds.
  const quick = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 2] ?? 0;
  return { us: sides.map(({ count }, at) => [count, quick(found[at] ?? [])] as const) };
}
