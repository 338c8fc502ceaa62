import type { Effect, ToolContext } from "@agent-service/plugin-sdk";
import type { Clock } from "../../clock/index.ts";
import type { JsonObject } from "../../json/index.ts";
import type { ManagedServer } from "../connection/index.ts";
import type { PinnedDefinition } from "../definition/index.ts";
import type { SamplingAsk } from "../offer/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import type { HeldCalls } from "./held-calls.ts";

/** What calls of a server are made with; read anew for every call. */
export interface CallSettings {
  readonly callTimeoutMs: number | null;
  readonly maxResultChars: number | null;
  /** It may ask people. */
  readonly elicitation: boolean;
  /** What it may ask of the service. */
  readonly offers: ReadonlySet<OfferedMethod>;
}

export interface ServerCallsOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly held: HeldCalls;
  /** Undefined: it is switched off. */
  server(): ManagedServer | undefined;
  /** See `targetDigest`; undefined: it is configured no more. */
  target(): string | undefined;
  settings(): CallSettings;
  pin(tool: string): PinnedDefinition | undefined;
  effect(tool: string): Effect;
  /** Takes secrets out of what the server says, before it is cut. */
  redact(text: string): string;
  /** A `CreateMessageResult`. @throws ConnectionError `server` */
  sample(ask: SamplingAsk): Promise<JsonObject>;
  /** A `ListRootsResult`. */
  roots(): JsonObject;
  /** The `traceparent` of a call. */
  traceparent?(taskId: string, callId: string): string | undefined;
}

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly input: unknown;
  readonly context: ToolContext;
  readonly effect: Effect;
}

/** What a call was sent with. */
export interface Sent {
  /** It stays connected while the call runs, also where the settings have another one of its name meanwhile. */
  readonly sentTo: ManagedServer | undefined;
  readonly signal: AbortSignal;
}

export interface Following extends Sent {
  /** Milliseconds before the task is asked for. */
  readonly waitMs: number;
}
