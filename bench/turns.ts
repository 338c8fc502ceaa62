/**
 * Many turns at once whose model takes its time: how much of the ideal rate the built service reaches, against a gateway
 * that answers after 300 ms, and what bounds it: its line, or the processors. It prints how fast this machine is now and a table, and fails where
 * 256 at once reach less than 80 % of the ideal rate, by the machine's factor.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Bound, holdBounds } from "./bounds.ts";
import { calibrate, calibrationLine, slower } from "./calibration.ts";
import { closedLoop } from "./closed-loop.ts";
import { startServer } from "./process.ts";
import { ask, newHome, serviceCommand, startGateway, type Target } from "./targets.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, delay: { type: "string", default: "300" } },
});
const delay = Number(values.delay);

/** Milliseconds that the threads of a process had work and no processor; NaN where `/proc` does not provide it. */
function processorWaitMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const waits = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[1]));
    return waits.reduce((sum, wait) => sum + wait, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Turns that wait in the service's line now. */
async function turnsWaiting(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/_turns_waiting (\d+)$/m.exec(text)?.[1]);
}

/** Turns at once that are held to their share of the ideal rate. */
const HELD = 256;
const LEAST_SHARE = 0.8;
const bounds: Bound[] = [];

const before = await calibrate();
console.log(calibrationLine(before));
const gateway = await startGateway();
const home = newHome();
const server = await startServer(serviceCommand(gateway, home));
try {
  const whole = ['"state":"completed"', "done"];
  const send = [{ request: ask("message/send", `later ${delay}`), whole }];
  const target: Target = { name: "service", server, operations: { send } };
  const seconds = Number(values.seconds);
  await closedLoop(target, "send", 64, { seconds: 1 });
  console.log(
    "| at once | per second | of the ideal | p50 ms | p99 ms | CPU µs | waiting for a processor, ms of each second | in line at the end |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const concurrency of [64, 128, 256, 512]) {
    const waited = processorWaitMs(server.pid);
    let inLine = 0;
    const look = setTimeout(() => void turnsWaiting(server.port).then((found) => (inLine = found)), seconds * 900);
    const { rate, p50, p99, cpuUs, errors } = await closedLoop(target, "send", concurrency, { seconds });
    clearTimeout(look);
    const starved = (processorWaitMs(server.pid) - waited) / seconds;
    const share = rate / ((concurrency * 1_000) / delay);
    const figures = [rate.toFixed(0), `${(100 * share).toFixed(0)} %`, p50.toFixed(0), p99.toFixed(0)];
    // A machine that is slower by a factor may take so much longer for what is ideal.
    const held = { what: `${HELD} turns at once, ideal rate × the rate`, found: 1 / share, most: 1 / LEAST_SHARE };
    if (concurrency === HELD) bounds.push({ ...held, isTime: true });
    const failed = errors === 0 ? "" : `  ${errors} ERRORS`;
    const rest = [cpuUs?.toFixed(0) ?? "–", starved.toFixed(0), `${inLine}${failed}`];
    console.log(`| ${[concurrency, ...figures, ...rest].join(" | ")} |`);
  }
} finally {
  await Promise.all([server.kill(), gateway.kill()]);
  rmSync(home, { recursive: true });
}
holdBounds(bounds, slower(before, await calibrate()).factor);
