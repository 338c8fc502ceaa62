import type { JsonObject } from "../../json/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import type { ServerTarget } from "../server-target.ts";
import type { RequestAuthorization } from "./egress-fetch.ts";
import type { TransportSource } from "./transport.ts";

/** What a server asks of a person while a call of it runs. */
export interface Elicitation {
  readonly params: JsonObject;
  /** Aborted once the server, or the connection, does not wait for the answer any more. */
  readonly signal: AbortSignal;
}

/** How a connection is opened, and who is notified of what happens on it. */
export interface ConnectionRequest {
  readonly server: string;
  /** Without placeholders. */
  readonly target: ServerTarget;
  readonly source: TransportSource;
  /** Milliseconds for the handshake. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The service's version. */
  readonly version: string;
  /** Servers may ask people. */
  readonly elicitation: boolean;
  /** What else servers may ask of the service. Default: nothing. */
  readonly offers?: ReadonlySet<OfferedMethod>;
  readonly authorization?: RequestAuthorization | undefined;
  /** Whether it answers as one that speaks 2025 only, as an earlier connection found: it is not probed again. */
  readonly isKnownLegacy?: boolean;
  /** Takes secrets out of what the server says, before it is cut. */
  redact(text: string): string;
  onLog(line: string): void;
  /** Called once, unless `close` was called. `isSessionOver`: a service has forgotten the session, and is there. */
  onClosed(reason: string, isSessionOver: boolean): void;
  onListChanged(list: "tools" | "prompts"): void;
  /** A server of the 2025 era asks; resolves with the answer as the protocol has it. */
  onElicitation(elicitation: Elicitation): Promise<JsonObject>;
  /** As `onElicitation`, for what is offered; a rejection is its error. */
  onOffered?(method: OfferedMethod, request: Elicitation): Promise<JsonObject>;
}
