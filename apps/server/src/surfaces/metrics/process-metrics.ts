import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Registry } from "./registry.ts";

/** Sampling step of the event loop's delay in milliseconds; finer ones cost CPU. */
const resolution = 20;

/**
 * Adds the metrics of the process: memory, CPU, event loop, uptime. Names are those Prometheus users know, without the
 * agent's prefix. The event loop's delay is sampled from the first scrape on, so it costs nothing until then.
 */
export function addProcessMetrics(registry: Registry): void {
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
  const gauge = (name: string, help: string, read: () => number): void =>
    registry.observed({ name, help, type: "gauge" }, read);
  const total = (name: string, help: string, read: () => number): void =>
    registry.observed({ name, help, type: "counter" }, read);
  const nanoseconds = (value: number): number => Math.max(0, (value - resolution * 1e6) / 1e9) || 0;

  gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  gauge("nodejs_heap_used_bytes", "JavaScript heap in use.", () => process.memoryUsage().heapUsed);
  gauge("process_start_time_seconds", "Start of the process, in Unix time.", () => performance.timeOrigin / 1_000);
  total("process_cpu_seconds_total", "CPU time of the process.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  total(
    "nodejs_eventloop_active_seconds_total",
    "Time the event loop was not idle.",
    () => performance.eventLoopUtilization().active / 1_000,
  );
  gauge("nodejs_eventloop_lag_p99_seconds", "Event loop delay, 99th percentile since it was last asked for.", () => {
    if (delay === undefined) {
      delay = monitorEventLoopDelay({ resolution });
      delay.enable();
    }
    return nanoseconds(delay.percentile(99));
  });
  gauge("nodejs_eventloop_lag_max_seconds", "Event loop delay, maximum since it was last asked for.", () => {
    const max = nanoseconds(delay?.max ?? 0);
    delay?.reset();
    return max;
  });
}
