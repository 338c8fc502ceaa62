import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Database } from "../database/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { Environment } from "../process/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { TransportSource } from "./connection/index.ts";
import type { DefinitionPins } from "./definition/index.ts";
import type { McpSectionValue } from "./mcp-section.ts";
import type { Sampler } from "./offer/index.ts";
import type { SignInSurroundings } from "./sign-in/index.ts";
import type { InputOf } from "./tool/index.ts";

export interface McpServersOptions {
  readonly clock: Clock;
  readonly log: EngineLog;
  readonly redactor: Pick<Redactor, "text" | "known">;
  readonly bus: Pick<EventBus, "publish">;
  readonly pins: DefinitionPins;
  /** Where the journal has the calls. */
  readonly db: Database;
  /** The section as it is now; the same object while nothing changed. */
  settings(): McpSectionValue;
  readonly source: TransportSource;
  /** The service's own variables, and those of them that no server gets. */
  readonly environment: Environment;
  isForbidden(name: string): boolean;
  /** Folders that the agent may write to. */
  writable(): readonly string[];
  readonly version: string;
  readonly inputOf: InputOf;
  readonly signIn: SignInSurroundings;
  /** Answers of a model for servers. */
  readonly sampler: Pick<Sampler, "sample">;
  traceparent?(taskId: string, callId: string): string | undefined;
}
