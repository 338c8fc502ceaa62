import type { AnyTool, Clock, Failpoints, OpeningStore } from "@agent-service/agent-core";
import type { ComposeBounds } from "./compose-limits.ts";
import type { ServiceSecrets } from "./secrets/index.ts";
import type { openServiceStore } from "./store/index.ts";

/** What a composition may be given beyond its settings. */
export interface ComposeOptions {
  /** Further tools, after the service's own. */
  readonly tools?: readonly AnyTool[];
  /** The store, if it is being opened already, or what opens it. Default: what `openServiceStore` opens. */
  readonly store?: OpeningStore | typeof openServiceStore;
  /** What the settings' variables came from, if a secrets manager may be among it. */
  readonly secrets?: ServiceSecrets;
  /** For tests only. */
  readonly failpoints?: Failpoints;
  /** For tests only: the engine's time. */
  readonly clock?: Clock;
  /** For tests only: the time of webhooks, where it is not the engine's. */
  readonly webhookClock?: Clock;
  /** Where log lines go. Default: standard output. */
  readonly write?: (line: string) => void;
  /** The process is the service's own: what its dependencies print goes into the log (ruling S5), until it closes. */
  readonly ownsConsole?: boolean;
  /** Ends the process when the engine cannot go on. Default: `endProcess`. */
  readonly exit?: (code: number) => void;
  /** For tests: called with every answer of the operator API that does not fit its schema (ruling O2). */
  readonly onMisfit?: (misfit: string) => void;
  /** Smaller bounds than those of the rulings, so that tests can reach them. */
  readonly bounds?: ComposeBounds;
  /** The folder with the built console. Default: the package's own, or the one of the checkout. */
  readonly consoleDirectory?: string;
}
