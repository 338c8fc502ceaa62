import type { EventBus } from "@agent-service/agent-core/host";
import type { Logging } from "../../logging/index.ts";

/** How long lines are gathered before they are told, in milliseconds. */
const GATHER_MS = 1_000;

/** Tells readers of the log that it has new lines. */
export interface LogNews {
  /** Somebody has read the log now: the next line is worth an event. */
  read(): void;
}

/**
 * Tells `log.written` once after each reading, when there is something new: who follows the log reads it again then, and
 * while nobody does, lines cost nothing and push no other event out of what is kept.
 */
export function logNews({ addSink }: Pick<Logging, "addSink">, bus: EventBus, gatherMs = GATHER_MS): LogNews {
  let waiting = false;
  return {
    read() {
      if (waiting) return;
      waiting = true;
      const remove = addSink(() => {
        remove();
        setTimeout(() => {
          waiting = false;
          bus.publish("log.written", {});
        }, gatherMs).unref();
      });
    },
  };
}
