/**
 * `pnpm proof:mcp [--servers N] [--seed S]`: hostile MCP servers behind `McpServers`, as the service has them. No crash, no process
 * left, the loop never held for 100 ms, and the heap as it was.
 */
import { parseArgs } from "node:util";
import { watchLateness } from "./lateness.ts";
import { runHostileServers } from "./mcp/run-hostile-servers.ts";

const { values } = parseArgs({
  options: { servers: { type: "string", default: "5000" }, seed: { type: "string", default: "1" } },
});
const servers = Number(values.servers);
const MOST_HELD_MS = 100;
const MOST_HEAP_BYTES = 5 * 1024 * 1024;
const WARM_SERVERS = 52;

// Without it the heap holds whatever was not collected yet, and its growth says nothing.
const { gc } = globalThis;
if (gc === undefined) {
  console.error("start node with --expose-gc, as pnpm proof:mcp does");
  process.exit(1);
}
const collect = gc;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const shared = { atOnce: 4, patienceSeconds: 3 };
await runHostileServers({ seed: `${values.seed}/warm`, servers: WARM_SERVERS, ...shared });
const before = heap();
const lateness = watchLateness();
const report = await runHostileServers({
  ...{ seed: values.seed, servers, ...shared },
  onEnd: (done) => done % 500 === 0 && console.log(`${done} servers`),
});
lateness.stop();
const grown = heap() - before;
console.log(
  `${servers} hostile servers: ${[...report.outcomes].map(([name, count]) => `${count} ${name}`).join(", ")}`,
);
// What other programs of the machine took of the time is not ours.
const [held, late] = [lateness.worstOwn, lateness.worst].map((ms) => Math.round(ms));
console.log(`${report.logLines} lines of log; the loop was held ${held} ms at most, and ${late} ms late`);
console.log(`heap ${(grown / 1024 / 1024).toFixed(1)} MiB above what it was`);
console.log(`${report.violations.length} violations`);
for (const violation of report.violations.slice(0, 50)) console.log(`    ${violation}`);
const isWithin = lateness.worstOwn < MOST_HELD_MS && grown < MOST_HEAP_BYTES;
process.exitCode = isWithin && report.violations.length === 0 ? 0 : 1;
