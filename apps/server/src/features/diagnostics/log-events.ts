import type { EventBus } from "@agent-service/agent-core/host";
import type { Logging } from "../../logging/index.ts";

/** Milliseconds between a line and its event: further lines share the event. */
const GATHER_MS = 1_000;

/** Notifies readers of the log of new lines. */
export interface LogNotifications {
  /** The log was read: the next line causes an event. */
  read(): void;
}

/**
 * Publishes `log.written` once after each read, when there is a new line: followers of the log read it again then, and
 * without any, lines cost nothing and displace no other event.
 */
export function logNotifications(
  { addSink }: Pick<Logging, "addSink">,
  bus: EventBus,
  gatherMs = GATHER_MS,
): LogNotifications {
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
