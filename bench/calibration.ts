/**
 * How much slower this machine is now than the one of the bounds: milliseconds are true of one class
 * of machine, alone and idle.
 */
import { mkdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A fixed workload, in milliseconds. */
export interface Calibration {
  /** JSON written and read: the processor, with whatever else runs on it. */
  readonly cpuMs: number;
  /** 4 KiB writes, each forced to the disk of this folder. */
  readonly writesMs: number;
  /** Both, as a multiple of the reference: 1 there, 2 on a machine that is half as fast. */
  readonly factor: number;
}

/** Two shared cores of an Intel Xeon (`docs/performance.md`), alone and idle, where a forced write takes 0.22 ms. */
export const REFERENCE = { cpuMs: 100, writesMs: 88 } as const;

const ROUNDS = 480;
const WRITES = 400;
const WORK = Array.from({ length: 500 }, (_, id) => ({
  id,
  name: `task ${id}`,
  text: "to be done ".repeat(12),
  done: id % 2 === 0,
}));

function compute(): number {
  const began = performance.now();
  for (let round = 0; round < ROUNDS; round++) JSON.parse(JSON.stringify(WORK));
  return performance.now() - began;
}

async function write(): Promise<number> {
  const folder = fileURLToPath(new URL("out/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const path = `${folder}calibration-${process.pid}`;
  const file = await open(path, "w");
  try {
    const page = Buffer.alloc(4096, 1);
    const began = performance.now();
    for (let at = 0; at < WRITES; at++) {
      await file.write(page, 0, page.length, at * page.length);
      await file.datasync();
    }
    return performance.now() - began;
  } finally {
    await file.close();
    await rm(path);
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Does the work several times, after once for nothing, and takes the medians. A second or so. */
export async function calibrate(times = 5): Promise<Calibration> {
  const cpu: number[] = [];
  const writes: number[] = [];
  compute();
  for (let time = 0; time < times; time++) {
    cpu.push(compute());
    writes.push(await write());
  }
  const [cpuMs, writesMs] = [median(cpu), median(writes)];
  return { cpuMs, writesMs, factor: (cpuMs + writesMs) / (REFERENCE.cpuMs + REFERENCE.writesMs) };
}

/** The slower of two moments: a bench calibrates before and after, and a slow minute between them is no one's doing. */
export function slower(a: Calibration, b: Calibration): Calibration {
  return a.factor > b.factor ? a : b;
}

/** The measurement as a text. */
export function calibrationLine({ cpuMs, writesMs, factor }: Calibration): string {
  const of = (ms: number, reference: number): string => `${ms.toFixed(0)} ms of ${reference}`;
  const parts = `processor ${of(cpuMs, REFERENCE.cpuMs)}, forced writes ${of(writesMs, REFERENCE.writesMs)}`;
  return `calibration: ${factor.toFixed(2)} × the reference machine, alone and idle (${parts})`;
}
