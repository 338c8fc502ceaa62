/**
 * The process that is fuzzed: the service as `agent-service` composes it, beside a watch over its event loop and its
 * memory. With `FUZZ_IDLE` it is the same watch over a process that does nothing, for comparison.
 */
import { compose, createLiveSettings } from "../../../apps/server/src/index.ts";
import { type PaceSample, watchPace } from "./pace-watch.ts";
import { type Stall, watchStalls } from "./stall-watch.ts";

/** The messages of the process. */
export type FuzzServiceReport =
  | { readonly kind: "ready"; readonly port: number }
  | {
      readonly kind: "state";
      /** Turns that run or wait. */
      readonly busy: number;
      /** Standstills since the start. */
      readonly stalls: readonly Stall[];
      /** How fast the machine was, of the process that does nothing else. */
      readonly pace: readonly PaceSample[];
      /** The largest resident memory since the start, in bytes. */
      readonly maxRss: number;
      /** The heap and what lies outside of it, in bytes; after a collection if one was asked for. */
      readonly heldBytes: number;
    };

/** What it is asked. */
export interface FuzzServiceQuestion {
  /** Collect garbage first. The collection is a standstill, so this is the last question. */
  readonly collect: boolean;
}

/** Shorter stalls are not reported. */
const LEAST_STALL_MS = 40;
const MEMORY_TICK_MS = 50;

const { env } = process;
let maxRss = 0;
setInterval(() => {
  maxRss = Math.max(maxRss, process.memoryUsage.rss());
}, MEMORY_TICK_MS).unref();

function report(message: FuzzServiceReport): void {
  process.send?.(message);
}

const service =
  env.FUZZ_IDLE === "1"
    ? undefined
    : await compose(createLiveSettings({ env, flags: { port: 0, ui: "none" } }), {
        write: (line) => process.stderr.write(line),
      });
// Starting is not what is measured.
const stalls = watchStalls(LEAST_STALL_MS);
const pace = env.FUZZ_IDLE === "1" ? watchPace() : [];

process.on("message", ({ collect }: FuzzServiceQuestion) => {
  const reported = [...stalls];
  const { running, waiting } = service?.core.load() ?? { running: 0, waiting: 0 };
  if (collect) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  report({ kind: "state", busy: running + waiting, stalls: reported, pace, maxRss, heldBytes: heapUsed + external });
});
process.on("disconnect", () => process.exit(0));
report({ kind: "ready", port: service?.port ?? 0 });
