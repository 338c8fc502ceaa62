import type { EventBus } from "../bus/index.ts";
import type { FireKind, Watch } from "./watch.ts";
import type { WatchEvents } from "./watches-parts.ts";

const TOPICS: { readonly [kind in FireKind]: string } = {
  met: "watch.met",
  change: "watch.value_changed",
  expired: "watch.expired",
  stalled: "watch.stalled",
};

/** Publishes what happens to watches, after the commits (G27). */
export function watchEvents(bus: EventBus, redact: (text: string) => string): WatchEvents {
  const about = ({ id, condition, status }: Watch) => ({ id, condition: redact(condition), status });
  return {
    changed: (id, action) => void bus.publish("watch.changed", { id, action }),
    fired: ({ watch, kind, reason }) => void bus.publish(TOPICS[kind], { ...about(watch), reason }),
    failing: (watch) => void bus.publish("watch.failing", { ...about(watch), reason: watch.state.lastReason ?? "" }),
  };
}
