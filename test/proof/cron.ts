/**
 * `pnpm proof:cron [--zones A,B] [--patterns N] [--seed S]`: compares the slots of random cron patterns with a scan of every minute of
 * 2024 to 2032, in every zone of the runtime, and fails where fewer than 200,000 slots are computed in a
 * second.
 */
import { parseArgs } from "node:util";
import { nextSlot, parseSchedule, Zones } from "../../packages/agent-core/src/cron/index.ts";
import { scanMinutes, wallByDate } from "./cron/minute-scan.ts";
import { randomPattern } from "./cron/random-pattern.ts";

const MINUTE_MS = 60_000;
/** Slots a second. */
const LEAST_RATE = 200_000;
const { values } = parseArgs({
  options: {
    zones: { type: "string" },
    patterns: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
  },
});

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const from = Date.UTC(2024, 0, 1) / MINUTE_MS;
const to = Date.UTC(2033, 0, 1) / MINUTE_MS;
const random = randomOf(Number(values.seed));
// The second has fixed times at each transition, whenever its zone has it; the third follows the wall through each.
const fixed = ["30 2 * * *", "0,15,30,45 0-23 * * *", "* * * * *"];
const names = values.zones?.split(",") ?? [...Intl.supportedValuesOf("timeZone"), "Antarctica/Troll"];
let [failed, compared, milliseconds] = [0, 0, 0];
for (const timezone of new Set(names)) {
  process.env.TZ = timezone;
  const zones = new Zones();
  const patterns = [...fixed, ...Array.from({ length: Number(values.patterns) }, () => randomPattern(random))];
  const wall = new Int32Array(to - from + 2880);
  for (let at = 0; at < wall.length; at++) wall[at] = wallByDate(from - 2880 + at);
  for (const schedule of patterns) {
    let read: ReturnType<typeof parseSchedule>;
    try {
      read = parseSchedule(zones, { schedule, timezone, now: from * MINUTE_MS });
    } catch {
      continue;
    }
    const slots: number[] = [];
    const begun = performance.now();
    for (
      let slot = nextSlot(read, from * MINUTE_MS - 1);
      slot !== undefined && slot < to * MINUTE_MS;
      slot = nextSlot(read, slot)
    )
      slots.push(slot / MINUTE_MS);
    milliseconds += performance.now() - begun;
    const scanned = scanMinutes(schedule, (minute) => wall[minute - from + 2880] ?? 0, from, to);
    compared += scanned.length;
    const differs = scanned.findIndex((slot, index) => slot !== slots[index]);
    if (differs < 0 && scanned.length === slots.length) continue;
    failed++;
    const [expected, found] = [scanned, slots].map((list) =>
      new Date((list[Math.max(0, differs)] ?? 0) * MINUTE_MS).toISOString(),
    );
    console.log(`FAILED ${timezone} "${schedule}": ${expected} expected, ${found} found`);
  }
}
const rate = Math.round((compared / milliseconds) * 1000);
console.log(
  `seed ${values.seed}: ${new Set(names).size} zones, ${compared} slots compared, ${failed} patterns differ, ${rate} slots/s`,
);
process.exitCode = failed === 0 && compared > 0 && rate >= LEAST_RATE ? 0 : 1;
