import type { Clock } from "../../clock/index.ts";
import type { JsonObject } from "../../json/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import type { ResolvedTarget } from "../placeholder/index.ts";
import type { Elicitation } from "./connection-request.ts";
import type { RequestAuthorization } from "./egress-fetch.ts";
import type { StartPlaces } from "./start-places.ts";
import type { TransportSource } from "./transport.ts";

/** What a server showed, as it came. */
export interface ShownLists {
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly hasResources: boolean;
}

export interface ManagedServerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly source: TransportSource;
  /** Shared by all servers. */
  readonly places: StartPlaces;
  /** Milliseconds to connect and to list. */
  readonly timeoutMs: number;
  readonly version: string;
  readonly elicitation: boolean;
  readonly offers?: ReadonlySet<OfferedMethod>;
  /** Undefined: the server is not signed in to. */
  readonly authorization?: RequestAuthorization | undefined;
  /** 0 up to 1, for jitter. */
  readonly random?: () => number;
  /** Read at every connect. */
  target(): ResolvedTarget;
  /** Takes secrets out of a line. */
  redact(line: string): string;
  /** Called after every connect and every change of its lists; a rejection is a failed connect. */
  onShown(lists: ShownLists): Promise<void>;
  /** The state, or what is shown beside it, changed. */
  onChanged(): void;
  onElicitation(elicitation: Elicitation): Promise<JsonObject>;
  onOffered?(method: OfferedMethod, request: Elicitation): Promise<JsonObject>;
}
