import type {
  AgentEngine,
  AnyFeature,
  AnyTool,
  Clock,
  Needed,
  Redactor,
  SandboxState,
  ValueOf,
} from "@agent-service/agent-core/host";
import type { OperatorFeatures, OperatorServices } from "@agent-service/operator-api";
import type { Logging } from "../logging/index.ts";
import type { ComposedModels } from "../model-layer/index.ts";
import type { PersonaFile } from "../persona/index.ts";
import type { ServiceSecrets } from "../secrets/index.ts";
import type { LiveSettings, ServerSettings } from "../settings/index.ts";
import type { Metrics } from "../surfaces/metrics/index.ts";

/** What features may use before the engine starts. */
export interface ServiceHost {
  readonly live: LiveSettings;
  /** Read again at each use. */
  readonly settings: ServerSettings;
  readonly clock: Clock;
  /** For tests only: the time of webhooks, where it is not the engine's. */
  readonly webhookClock?: Clock | undefined;
  readonly logging: Logging;
  readonly redactor: Redactor;
  readonly models: ComposedModels;
  readonly metrics: Metrics;
  readonly secrets: ServiceSecrets;
  /** Gets the tokens of webhooks, which are looked for in the log only. */
  readonly webhookSecrets: Set<string>;
  /** The persona as its operator wrote it. */
  readonly personaFile: PersonaFile;
  /** The persona in effect. */
  readonly persona: () => string;
  /** What was found of the system's sandbox, which is looked for before the engine opens. */
  readonly sandbox: () => SandboxState | undefined;
  /** Silence on a stream before a comment is sent, in milliseconds; undefined: 15,000. */
  readonly keepAliveMs: number | undefined;
  /** Resolves once the service answers. What takes the processor and can wait begins behind it. */
  readonly answering: Promise<void>;
  /** Of the service. */
  readonly version: string;
  /** Tools after the service's own. */
  readonly tools: readonly AnyTool[];
}

/** What services may use once the engine runs. */
export interface RunningHost extends ServiceHost {
  readonly core: AgentEngine;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  /** What a feature of the engine opened. @throws Error for one that is not there: a fault of the composition */
  opened<const Of extends Needed>(feature: Of): ValueOf<Of>;
}

type OpenedBy<F> = F extends { open(...args: never[]): infer Value } ? Awaited<Value> : undefined;

/** Everything the service adds to one feature. */
export interface ServiceFeature<Engine extends AnyFeature | undefined = AnyFeature | undefined> {
  /** The engine's part, created with the host. */
  readonly engine?: (host: ServiceHost) => Engine;
  services?(opened: OpenedBy<Engine>, host: RunningHost): Partial<OperatorServices>;
  /** Its entries in the runtime status, with whether each is switched on. Called at each read. */
  flags?(host: ServiceHost): OperatorFeatures;
}

/** Any of them. Its members are methods, so a feature of any value is one. */
export interface AnyServiceFeature {
  readonly engine?: (host: ServiceHost) => AnyFeature | undefined;
  services?(opened: unknown, host: RunningHost): Partial<OperatorServices>;
  flags?(host: ServiceHost): OperatorFeatures;
}

/** Defines what the service adds to a feature; its types follow from the engine's part. */
export function defineServiceFeature<const Engine extends AnyFeature | undefined = undefined>(
  feature: ServiceFeature<Engine>,
): ServiceFeature<Engine> {
  return feature;
}
