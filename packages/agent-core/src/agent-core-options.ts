import type { AnyTool, AnyVerifier } from "@agent-service/plugin-sdk";
import type { Clock } from "./clock/index.ts";
import type { ContextSettings } from "./context/index.ts";
import type { Failpoints, OpeningStore } from "./database/index.ts";
import type { CommittedEvent, TaskView } from "./event/index.ts";
import type { SettingsSource } from "./feature/index.ts";
import type { Retention } from "./journal/index.ts";
import type { EngineLog } from "./log/index.ts";
import type { ModelChoice } from "./model/index.ts";
import type { Redactor } from "./redaction/index.ts";
import type { OnRestart, TurnBounds } from "./task/index.ts";
import type { EnforcementSettings, ToolPolicy } from "./tool/index.ts";
import type { TurnLimits } from "./turn/index.ts";

/** What an agent is made of, beside its features. */
export interface AgentCoreOptions {
  /**
   * `file:agent.db`, `:memory:`, or a server's `libsql://`, `http://` or `https://` URL (R11); or a store that is
   * being opened already, which becomes the engine's own.
   */
  readonly store: string | OpeningStore;
  /** Token of a store behind a URL. */
  readonly storeToken?: string;
  /** Bytes a file store may take; beyond it work is refused as on a full disk (S7). Default: the disk's room. */
  readonly storeMaxBytes?: number;
  /** The model, or a function that finds one by the value a turn asks for (undefined: the lead model). */
  readonly model: ModelChoice | ((value: string | undefined) => ModelChoice);
  /** The system text; a function is asked before each call and should return the same bytes while nothing changed. */
  readonly persona?: string | (() => string | undefined);
  /** How much of a conversation the model is shown; asked before each call. Default: the defaults of its sections. */
  readonly context?: () => ContextSettings;
  /** Tools after those of the features. */
  readonly tools?: readonly AnyTool[];
  /** Checks by the name of the plugin that brings them: each is known as `<plugin>:<name>`. */
  readonly verifiers?: Readonly<Record<string, readonly AnyVerifier[]>>;
  /** Which of the tools there are now; asked at each use, and read when it is another object (settings `tools`). */
  readonly toolPolicy?: () => ToolPolicy;
  /** What is checked before a tool runs; asked as `toolPolicy` (settings `enforcement`). Default: nothing. */
  readonly enforcement?: () => EnforcementSettings;
  /**
   * Whether a turn that asks for it may skip the approvals that tools let it skip; asked at each call. Default: it may
   * (settings `filesystem.bypass_allowed`).
   */
  readonly bypassAllowed?: () => boolean;
  /** Settings of the features' sections. Default: each section's defaults. */
  readonly settings?: SettingsSource;
  readonly limits?: Partial<TurnLimits> | (() => Partial<TurnLimits>);
  /** How many turns run and wait; a function is asked at each decision. Default: `DEFAULT_TURN_BOUNDS` (S7). */
  readonly turns?: Partial<TurnBounds> | (() => Partial<TurnBounds>);
  /** Bytes of running and waiting tasks beyond which new ones are refused as overloaded (EN10). Default 512 MiB. */
  readonly maxHeldBytes?: number;
  /** What a restart does to open tasks. Default `auto` (A18). */
  readonly onRestart?: OnRestart;
  readonly retention?: Partial<Retention> | (() => Partial<Retention>);
  readonly clock?: Clock;
  /**
   * Takes secrets out of the texts of tools and models before they are journaled (S5). Default: one that
   * recognizes keys by their shape.
   */
  readonly redactor?: Redactor;
  readonly log?: EngineLog;
  /** Called when the engine can no longer keep its promises (the lease is lost, a bug); the host should exit. */
  readonly onFatal?: (error: unknown) => void;
  /** Called after every commit of a task's events, in order per task. Must not throw. */
  readonly onCommit?: (view: Readonly<TaskView>, events: readonly CommittedEvent[]) => void;
  /** For tests only. */
  readonly failpoints?: Failpoints;
  /** Name of this process in the store's lease. */
  readonly owner?: string;
}
