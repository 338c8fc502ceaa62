import type { Effect } from "@agent-service/plugin-sdk";
import type { ToolHints } from "./definition/index.ts";
import type { McpTransport } from "./server-target.ts";

/**
 * - `disabled`: switched off, by itself or with all of `mcp`.
 * - `idle`: not connected yet.
 * - `starting`: connecting, or listing its tools.
 * - `ready`: connected.
 * - `backoff`: the last try failed; the next is at `nextAttemptAt`.
 * - `failing`: it failed often; it is tried again rarely, and calls fail at once.
 * - `needs_auth`: it wants a credential that it was not given.
 * - `misconfigured`: its settings cannot be used; nothing is tried until they change.
 */
export type McpServerState =
  | "disabled"
  | "idle"
  | "starting"
  | "ready"
  | "backoff"
  | "failing"
  | "needs_auth"
  | "misconfigured";

/** `2025`: a handshake and a session. `2026`: every request stands by itself. */
export type McpEra = "2025" | "2026";

/** A server as operators see it (M4). Times are epoch milliseconds. */
export interface McpServerView {
  readonly name: string;
  /** Undefined: its settings do not say, or cannot be used. */
  readonly transport: McpTransport | undefined;
  readonly enabled: boolean;
  readonly state: McpServerState;
  /** One sentence about the state; undefined where the state says it all. Holds no secret. */
  readonly detail: string | undefined;
  /** Of the connection that is open, else of the last one. */
  readonly era: McpEra | undefined;
  /** Tools that turns have. */
  readonly toolCount: number;
  /** Definitions that wait for the operator. */
  readonly heldCount: number;
  readonly callsRunning: number;
  readonly pid: number | undefined;
  /** How often it was connected again since the service started. */
  readonly restarts: number;
  readonly nextAttemptAt: number | undefined;
  readonly auth: "none" | "ok" | "needed" | "expired";
  /** Until when its sign-in holds, epoch milliseconds; undefined: it renews itself, or there is none. */
  readonly authEndsAt?: number | undefined;
  readonly warnings: readonly string[];
}

/** A definition of a server as operators see it. */
export interface McpToolView {
  readonly kind: "tool" | "prompt";
  /** The server's own. */
  readonly name: string;
  /** What the model is shown; of a prompt, its slash command. */
  readonly fullName: string;
  /** `off`: settings leave it out. `gone`: the server does not show it any more. */
  readonly state: "on" | "off" | "held" | "gone";
  readonly effect: Effect;
  readonly hints: ToolHints;
  /** What is approved, else what the server shows. */
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: unknown };
  /** Names what the server shows now: a decision carries it. */
  readonly digest: string;
  /** What the server shows now where it waits for the operator or was rejected. Texts as they came, for a diff. */
  readonly changed?: {
    readonly rejected: boolean;
    /** It never had an approved definition. */
    readonly isNew: boolean;
    readonly description: string;
    readonly inputSchema: { readonly [key: string]: unknown };
    readonly hints: ToolHints;
  };
}

/** A server with its definitions and its log. */
export interface McpServerDetail extends McpServerView {
  readonly tools: readonly McpToolView[];
  /** The last lines of its standard error and of what happened to its connection, redacted. */
  readonly log: readonly string[];
}

/** A resource of a server. */
export interface McpListedResource {
  readonly uri: string;
  /** Blank: the server gives it none. */
  readonly name: string;
  readonly mediaType: string;
}

/** What a server that is not saved answered. */
export type McpTestResult =
  | {
      readonly ok: true;
      readonly era: McpEra;
      /** And prompts. */
      readonly tools: readonly McpToolView[];
      /** The first of them. */
      readonly resources: readonly McpListedResource[];
    }
  | { readonly ok: false; readonly error: string };

/** What the operator decides about definitions of a server. */
export interface McpDecision {
  readonly approve?: readonly { readonly name: string; readonly digest: string }[];
  readonly reject?: readonly string[];
}

/** How a call ended. `denied`: settings or a person forbade it; `unknown`: it may have happened; `open`: it has not ended. */
export type McpCallOutcome = "ok" | "error" | "denied" | "unknown" | "canceled" | "open";

/** A call that was made of a server's tool (M4). */
export interface McpCallRow {
  readonly callId: string;
  readonly taskId: string;
  readonly sessionId: string;
  /** The server's own name of it. */
  readonly tool: string;
  readonly outcome: McpCallOutcome;
  /** Undefined while it is open. */
  readonly ms: number | undefined;
  /** Of the result, in UTF-8. */
  readonly bytes: number;
  readonly approxTokens: number;
  /** Epoch milliseconds at which it began. */
  readonly at: number;
  /** Whose turn made it. */
  readonly caller: "operator" | "peer";
  /** It was made without a model (M19). */
  readonly isDirect: boolean;
  /** Of a turn of which nothing stays once its session ends. */
  readonly isIncognito: boolean;
  /** The call of a script that made it; absent: the model or a person did. */
  readonly parentCall?: string;
}

/** A call with what was sent and what came back. */
export interface McpRecordedCall extends McpCallRow {
  readonly server: string;
  /** What the model knows the tool as. */
  readonly fullName: string;
  /** JSON text; blank: retention removed it (R14). */
  readonly args: string;
  /** What the model read, its first part; undefined while it is open. */
  readonly result: string | undefined;
  /** Of the tool as it is now; undefined: its server does not show it any more. */
  readonly effect: Effect | undefined;
}

/** A page of calls; `before`: those that began before another one did, at that time in epoch milliseconds. */
export interface McpCallPage {
  readonly limit: number;
  readonly before?: { readonly at: number; readonly callId: string } | undefined;
}

/** The calls of servers' tools that the journal has. */
export interface McpCalls {
  /** Of a server, the newest first. @throws McpError `mcp.unknown_server` */
  page(server: string, page: McpCallPage): Promise<readonly McpCallRow[]>;
  /** Undefined: there is none, or no server that is configured has it. */
  read(callId: string): Promise<McpRecordedCall | undefined>;
}

/** What an answer to a sign-in's redirect carried: `code`, `state`, `iss`, or `error`. */
export type SignInAnswer = Readonly<Record<string, string>>;

/** The sign-in to a server. Errors are `SignInError`s. */
export interface McpSignIn {
  /** The address that the person opens; its answer comes to `redirectUri` with `state`. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly state: string }>;
  /** Ends it, and connects anew. */
  finish(answer: SignInAnswer): Promise<void>;
  /** Forgets the tokens of a server, and connects anew without. */
  signOut(): Promise<void>;
}

/** What operators do with MCP servers; the settings are saved elsewhere, and followed here. Errors are `McpError`s. */
export interface McpOperations {
  /** Whether `mcp.enabled` is on. */
  readonly enabled: boolean;
  /** In the order of the settings. */
  list(): readonly McpServerView[];
  get(name: string): McpServerDetail | undefined;
  /** Connects to an entry of `mcp.servers` that need not be saved, lists its tools, and ends; saves and pins nothing. */
  test(declaration: unknown, signal: AbortSignal): Promise<McpTestResult>;
  /** Ends the connection and opens another at once; calls under way end on the old one. Resolves once that has begun. */
  restart(name: string): Promise<void>;
  decide(name: string, decision: McpDecision): Promise<McpServerDetail>;
  /** What a server of this name shows next is approved as of a new one: for one that was removed. */
  forget(name: string): Promise<void>;
  signIn(name: string): McpSignIn;
  /** Takes out what is stored of a server's sign-in: for one that is removed. */
  forgetSignIn(name: string): Promise<void>;
  /** Hears of what becomes of sign-ins while no person is there. */
  onUnasked(listener: (server: string, step: "renewed" | "ended") => void): void;
  readonly calls: McpCalls;
}
