/**
 * `pnpm proof:readers [--readers N] [--seconds S] [--flood C] [--late N]`: slow readers on one running task, a healthy one
 * beside them; once at a model's pace, and once behind a flood of C characters. Then N late ones, which come when a task
 * is 4 MB long and read nothing of it. Their bounds and figures are in `docs/reliability.md`.
 */
import { parseArgs } from "node:util";
import { runLateReaders } from "./readers/run-late-readers.ts";
import { runReaders } from "./readers/run-readers.ts";

const { values } = parseArgs({
  options: {
    readers: { type: "string", default: "1000" },
    seconds: { type: "string", default: "12" },
    flood: { type: "string", default: "3600000" },
    late: { type: "string", default: "300" },
  },
});
function whole(name: "readers" | "seconds" | "flood" | "late"): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`--${name} takes a whole number from 1 on, not ${values[name]}`);
  process.exit(1);
}

/** What they may take above idle, at a model's pace. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_P99_MS = 250;
/** Bytes above idle after late readers disconnected. */
const LEFT_BYTES = 16 * 1024 * 1024;
/**
 * The same from a process that has served none before: the rest is garbage, the size that V8's generations come to, and free
 * memory of the C library, whatever the number of readers.
 */
const COLD_BYTES = 192 * 1024 * 1024;
const COLD_LEFT_BYTES = 48 * 1024 * 1024;
/** Live objects, texts and buffers of all late readers together. */
const HELD_BYTES = 16 * 1024 * 1024;
/** Just below what an answer keeps. */
const LATE_CHARS = 3_990_000;

const readers = whole("readers");
const talkMs = whole("seconds") * 1_000;
const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** Runs once and prints; whether everything stayed within its bounds. */
async function measure(floodChars: number, mostBytes: number): Promise<boolean> {
  const figures = await runReaders({ readers, talkMs, floodChars, finishers: 20 });
  const { fresh, idle, peak, floodMs, latency, pieces, finished, different } = figures;
  console.log(`${readers} slow readers, ${floodChars} characters ahead: ${mebibytes(peak - idle)} above idle`);
  console.log(`  resident: ${mebibytes(fresh)} fresh, ${mebibytes(idle)} idle, ${mebibytes(peak)} at most`);
  console.log(`  what came ahead took ${Math.round(floodMs)} ms to the healthy reader`);
  console.log(
    `  healthy reader: p50 ${latency.p50} ms, p99 ${latency.p99} ms, max ${latency.max} ms, ${pieces} pieces`,
  );
  console.log(`  ${finished} slow readers read the rest, ${different} of them something else than the healthy one`);
  return peak - idle <= mostBytes && latency.p99 < MOST_P99_MS && different === 0;
}

interface LateBounds {
  readonly mostBytes: number;
  readonly leftBytes: number;
}

/** Late readers that read nothing, while a task continues and ends; whether they stayed within their bounds. */
async function measureLate(count: number, warm: boolean, { mostBytes, leftBytes }: LateBounds): Promise<boolean> {
  const options = { readers: count, chars: LATE_CHARS, backWithin: leftBytes, warm };
  const { idle, peak, after } = await runLateReaders(options);
  const counted = warm ? "idle when a fifth had come before" : "a process that none came to before";
  console.log(
    `${count} late readers of ${LATE_CHARS} characters that read nothing: ${mebibytes(peak - idle)} above ${counted} (at most ${mebibytes(mostBytes)}), ${mebibytes(after - idle)} once they had gone (at most ${mebibytes(leftBytes)})`,
  );
  console.log(
    `  resident: ${mebibytes(idle)} idle, ${mebibytes(peak)} at most, ${mebibytes(after)} after they disconnected`,
  );
  return peak - idle <= mostBytes && after - idle <= leftBytes;
}

/** What late readers hold when all garbage is collected: the part of the memory that is theirs. */
async function measureHeld(count: number): Promise<boolean> {
  const options = { readers: count, chars: LATE_CHARS, backWithin: LEFT_BYTES, warm: false, collect: true };
  const { held = Number.NaN } = await runLateReaders(options);
  console.log(`  held by all ${count} of them, without garbage: ${mebibytes(held)} (at most ${mebibytes(HELD_BYTES)})`);
  return held <= HELD_BYTES;
}

const atPace = await measure(1, MOST_BYTES);
// Gigabytes pass through here; what counts is that none of them stay.
const behindFlood = await measure(whole("flood"), 4 * MOST_BYTES);
const lateReaders = whole("late");
const held = [
  await measureLate(lateReaders, true, { mostBytes: MOST_BYTES, leftBytes: LEFT_BYTES }),
  await measureLate(lateReaders, false, { mostBytes: COLD_BYTES, leftBytes: COLD_LEFT_BYTES }),
  await measureHeld(lateReaders),
];
process.exitCode = atPace && behindFlood && held.every(Boolean) ? 0 : 1;
