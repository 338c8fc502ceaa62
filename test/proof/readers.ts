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

/** Late readers that read nothing, while a task continues and ends; whether they stayed within their bounds. */
async function measureLate(count: number, warm: boolean): Promise<boolean> {
  const options = { readers: count, chars: LATE_CHARS, backWithin: LEFT_BYTES, warm };
  const { idle, peak, after } = await runLateReaders(options);
  const counted = warm ? "idle when a fifth had come before" : "a process that none came to before (not held)";
  console.log(
    `${count} late readers of ${LATE_CHARS} characters that read nothing: ${mebibytes(peak - idle)} above ${counted}`,
  );
  console.log(
    `  resident: ${mebibytes(idle)} idle, ${mebibytes(peak)} at most, ${mebibytes(after)} after they disconnected`,
  );
  return peak - idle <= MOST_BYTES && after - idle <= LEFT_BYTES;
}

const atPace = await measure(1, MOST_BYTES);
// Gigabytes pass through here; what counts is that none of them stay.
const behindFlood = await measure(whole("flood"), 4 * MOST_BYTES);
const late = await measureLate(whole("late"), true);
await measureLate(whole("late"), false);
process.exitCode = atPace && behindFlood && late ? 0 : 1;
