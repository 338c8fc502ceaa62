import type { Clock } from "../clock/index.ts";
import type { Database } from "../database/index.ts";
import type { Verifiers } from "../verifier/index.ts";
import type { HeldWatches } from "./held-watch.ts";
import type { Fired, Reactions } from "./reactions.ts";
import type { Watch } from "./watch.ts";
import type { WatchStore } from "./watch-store.ts";

/** Settings of watches, the current values. */
export interface WatchSettings {
  readonly interval: number;
  readonly keep_terminal_h: number;
  readonly poller: boolean;
}

export interface WatchEvents {
  changed(id: string, action: "created" | "changed" | "removed"): void;
  fired(fired: Fired): void;
  failing(watch: Watch): void;
}

export interface WatchesParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  readonly store: WatchStore;
  readonly held: HeldWatches;
  readonly reactions: Reactions;
  readonly verifiers: Verifiers;
  readonly settings: () => WatchSettings;
  readonly events: WatchEvents;
}

/** A watch as it is shown. */
export interface ShownWatch {
  readonly watch: Watch;
  readonly nextCheckAt: number | undefined;
}
