import { type Clock, systemClock } from "../clock/index.ts";
import type { LogDecision } from "../log/index.ts";
import { Lane, type LaneSettings, type LaneSnapshot } from "./lane.ts";
import { LaneCall } from "./lane-call.ts";
import type { Model } from "./model-port.ts";

/** The lanes of all connections at a moment (B46). */
export interface ModelLanesSnapshot {
  /** False while `model.max_inflight` is 0. */
  readonly enabled: boolean;
  /** Epoch milliseconds. */
  readonly generatedAt: number;
  /** Sorted by name; none while the limiter is off. */
  readonly lanes: readonly LaneSnapshot[];
}

/** The lanes of a process, one per connection. They outlive a reload: calls in progress still count. */
export interface ModelLanes {
  /**
   * Lets only so many calls through to `model` at once; the others wait in order, interactive callers first. A slot is
   * held from the first event asked for until the call ends, fails or is left. Waiting too long rejects with
   * `ModelError` (`lane_timeout`); an abort ends the wait at once. While the limiter is off this is `model` itself.
   */
  wrap(lane: string, model: Model): Model;
  /** Lets waiting callers use what new settings allow. */
  settingsChanged(): void;
  snapshot(): ModelLanesSnapshot;
}

/** Makes the lanes. The settings are asked for at each call, so they may change. */
export function createModelLanes(options: {
  readonly settings: () => LaneSettings;
  readonly clock?: Clock;
  readonly debug?: LogDecision | undefined;
}): ModelLanes {
  const { settings, clock = systemClock(), debug } = options;
  const lanes = new Map<string, Lane>();

  return {
    wrap(name, model) {
      if (settings().maxInflight <= 0) return model;
      const lane = lanes.get(name) ?? new Lane(name, settings, clock, debug);
      lanes.set(name, lane);
      return {
        stream: (request, callOptions) => ({
          [Symbol.asyncIterator]: () => new LaneCall(model, lane, request, callOptions),
        }),
      };
    },
    settingsChanged() {
      for (const lane of lanes.values()) lane.grantWaiting();
    },
    snapshot() {
      const enabled = settings().maxInflight > 0;
      const all = enabled ? [...lanes.values()].map((lane) => lane.snapshot()) : [];
      return { enabled, generatedAt: clock.now(), lanes: all.sort((a, b) => (a.lane < b.lane ? -1 : 1)) };
    },
  };
}
