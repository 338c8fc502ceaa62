/** The run as a table for people and as numbers for later. */
import type { Bound } from "./bounds.ts";
import { type Calibration, calibrationLine } from "./calibration.ts";
import type { Sample } from "./closed-loop.ts";
import type { MemoryFigures, StartFigures } from "./memory.ts";
import { PROMPT_BUDGET, type PromptTokens } from "./prompt-tokens.ts";
import { DELTAS, type Operation } from "./targets.ts";

/** One cell: an operation at a concurrency against one target, with its sample of each round. */
export interface Cell {
  readonly operation: Operation;
  readonly concurrency: number;
  readonly target: string;
  readonly rounds: readonly Sample[];
}

/** Everything a run found. */
export interface Findings {
  readonly date: string;
  readonly machine: string;
  readonly calibration: Calibration;
  readonly cells: readonly Cell[];
  /** The longest the load itself stood still while speeds were measured, in milliseconds. */
  readonly stallMs: number;
  /** Milliseconds of one forced 4 KiB write. */
  readonly diskMs: number;
  readonly starts: StartFigures;
  readonly memory: MemoryFigures;
  readonly prompt: PromptTokens;
}

/** The middle of the rounds; NaN when there are none. */
function median(values: readonly (number | undefined)[]): number {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

function shown(value: number | undefined, digits = 0): string {
  return value === undefined || Number.isNaN(value) ? "–" : value.toFixed(digits);
}

const columns = [
  "operation",
  "target",
  "per second",
  "of the gateway",
  "of the echo",
  "p50 ms",
  "p99 ms",
  "delta p50 ms",
  "CPU µs",
];

function rowOf(cell: Cell, cells: readonly Cell[]): readonly string[] {
  const { operation, concurrency, target, rounds } = cell;
  const rate = (name: string): number => {
    const beside = cells.find(
      (other) => other.target === name && other.operation === operation && other.concurrency === concurrency,
    );
    return median((beside?.rounds ?? []).map((sample) => sample.rate));
  };
  const own = rate(target);
  const errors = rounds.reduce((sum, sample) => sum + sample.errors, 0);
  return [
    `${operation} at ${concurrency}`,
    target,
    operation === "stream" ? `${shown(own * DELTAS)} deltas` : shown(own),
    shown(own / rate("gateway"), 2),
    shown(own / rate("echo"), 2),
    shown(median(rounds.map((sample) => sample.p50)), 2),
    shown(median(rounds.map((sample) => sample.p99)), 1),
    shown(median(rounds.map((sample) => sample.delta50)), 2),
    shown(median(rounds.map((sample) => sample.cpuUs))) + (errors === 0 ? "" : `  ${errors} ERRORS`),
  ];
}

/** The findings as a Markdown table and some lines. */
export function report({
  date,
  machine,
  calibration,
  cells,
  stallMs,
  diskMs,
  starts,
  memory,
  prompt,
}: Findings): string {
  const rows = [columns, columns.map(() => "---"), ...cells.map((cell) => rowOf(cell, cells))];
  const table = rows.map((row) => `| ${row.join(" | ")} |`);
  const failed = memory.taskErrors === 0 ? "" : ` (${memory.taskErrors} ERRORS)`;
  return [
    `${date}, ${machine}`,
    calibrationLine(calibration),
    "",
    ...table,
    "",
    `- the load itself stood still for up to ${shown(stallMs)} ms; beyond 100 ms something else had the machine`,
    `- one forced write of 4 KiB: ${shown(diskMs, 2)} ms`,
    `- start to the first answer, ${starts.starts} starts: service ${shown(starts.serviceMs)} ms, echo ${shown(starts.echoMs)} ms`,
    `- resident: idle ${shown(memory.idleMb)} MB, after ${memory.tasks} tasks ${shown(memory.afterTasksMb)} MB${failed}`,
    `- an idle stream, of ${memory.streams}: ${shown(memory.kbPerIdleStream)} kB`,
    `- sent to the model in every call: system text ${prompt.system} tokens, ${prompt.byTool.length} tools ${prompt.tools}`,
    `  (${prompt.byTool.map(([name, tokens]) => `${name} ${tokens}`).join(", ")})`,
    "",
  ].join("\n");
}

/** What the findings are held to (`docs/performance.md`). */
export function boundsOf({ cells, starts, memory, prompt }: Findings): readonly Bound[] {
  const p50 = (target: string): number => {
    const cell = cells.find((one) => one.operation === "send" && one.concurrency === 1 && one.target === target);
    return median((cell?.rounds ?? []).map((sample) => sample.p50));
  };
  const afterAll = memory.tasks >= 10_000 ? memory.afterTasksMb : undefined;
  return [
    { what: "a lone send above the gateway, p50, ms", found: p50("service") - p50("gateway"), most: 1.2, isTime: true },
    { what: "start to the first answer, ms", found: starts.serviceMs, most: 300, isTime: true },
    { what: "resident memory, idle, MB", found: memory.idleMb, most: 110, isTime: false },
    { what: `resident memory after ${memory.tasks} tasks, MB`, found: afterAll, most: 160, isTime: false },
    { what: "an idle stream, kB", found: memory.kbPerIdleStream, most: 50, isTime: false },
    { what: "system text and tools, tokens", found: prompt.system + prompt.tools, most: PROMPT_BUDGET, isTime: false },
  ];
}
