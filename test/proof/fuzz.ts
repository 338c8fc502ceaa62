/**
 * `pnpm proof:fuzz [--requests N] [--seed S] [--parallel P] [--only I]`: grammar-made requests, valid and hostile,
 * against two running services. What it checks, and its figures, are in `docs/reliability.md`.
 */
import { parseArgs } from "node:util";
import type { OnAnswer } from "./fuzz/run-case.ts";
import { runFuzz, type ServiceFigures } from "./fuzz/run-fuzz.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    parallel: { type: "string", default: "12" },
    only: { type: "string" },
  },
});
function whole(name: "requests" | "parallel" | "only", least: number): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name} takes a whole number from ${least} on, not ${values[name]}`);
  process.exit(1);
}

/** Shows a single case in full. */
const show: OnAnswer = (instance, request, { outcome, status, task, problems }) => {
  const sent = request.body?.toString("utf8") ?? Buffer.concat([...(request.raw?.pieces ?? [])]).toString("latin1");
  console.log(`${request.label} at the ${instance} instance: ${request.method} ${request.target}`);
  for (const [name, value] of request.headers) console.log(`    ${name}: ${value}`);
  console.log(`    ${JSON.stringify(sent.slice(0, 4_000))}`);
  console.log(`  → ${status} ${outcome} ${task === undefined ? "" : JSON.stringify(task)} ${problems.join("; ")}`);
};

function table(name: string, sums: ReadonlyMap<string, number>): void {
  const rows = [...sums].toSorted(([, a], [, b]) => b - a);
  console.log(`${name}: ${rows.map(([key, value]) => `${key} ${value}`).join(", ")}`);
}

function serviceLine({ name, stalls, longestStallMs, waits, maxRss, heldBytes, store }: ServiceFigures): string {
  const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
  return [
    `${name}: longest stall ${Math.round(longestStallMs)} ms, ${stalls} over 100 ms, ${waits} waits for the processor`,
    `at most ${mebibytes(maxRss)} MiB resident, ${mebibytes(heldBytes)} MiB held at the end`,
    `store: ${store.tasks} tasks (${store.parked} parked), ${store.events} events`,
  ].join("; ");
}

const { seed } = values;
const only = values.only === undefined ? undefined : whole("only", 0);
const report = await runFuzz({
  seed,
  requests: whole("requests", 1),
  parallel: whole("parallel", 1),
  only,
  ...(only === undefined
    ? { onProgress: (requests, blames) => console.log(`${requests} requests, ${blames} violations`) }
    : { onAnswer: show }),
});
const seconds = Math.round(report.ms / 1_000);
console.log(`\nseed ${seed}: ${report.requests} requests in ${report.cases} cases in ${seconds} s`);
table("status", report.statuses);
table("outcome", report.outcomes);
table("asked", report.labels);
for (const service of report.services) console.log(serviceLine(service));
console.log(`${report.acknowledged} tasks acknowledged; ${report.blames} violations`);
for (const violation of report.violations) console.log(`    ${violation}`);
if (report.blames > 0) console.log(`again: pnpm proof:fuzz --seed ${seed} --only <case>   kept: ${report.folder}`);
process.exitCode = report.blames === 0 ? 0 : 1;
