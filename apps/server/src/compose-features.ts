/** The service's features together: what the engine opens, and what operators are served. It knows none by name. */
import type { AgentCore, Needed, ValueOf } from "@agent-service/agent-core";
import type { OperatorServices } from "@agent-service/operator-api";
import * as features from "./features.ts";
import type { BuiltFeatures } from "./operator/index.ts";
import type { AnyServiceFeature, RunningHost, ServiceHost } from "./service-feature/index.ts";

type Listed = (typeof features)[keyof typeof features];
type EngineOf<F> = F extends { readonly engine?: (host: ServiceHost) => infer Feature } ? Feature : never;

/** A feature of the service's engine. */
export type ServiceEngineFeature = NonNullable<EngineOf<Listed>>;
/** The service's engine. */
export type ServiceCore = AgentCore<readonly ServiceEngineFeature[]>;

/** The features of one service. */
export interface ComposedFeatures {
  /** The engine's parts. */
  readonly engine: readonly ServiceEngineFeature[];
  /** What they serve to operators, over the engine that opened their parts. */
  services(core: ServiceCore): Partial<OperatorServices>;
  /** What the runtime status says of them. */
  flags(): BuiltFeatures;
}

/** Makes every feature of the list, once. */
export function composeFeatures(host: ServiceHost): ComposedFeatures {
  const all = Object.values(features as { readonly [name: string]: AnyServiceFeature });
  const made = all.map((feature) => ({ feature, engine: feature.engine?.(host) }));
  return {
    engine: made.flatMap(({ engine }) => (engine as ServiceEngineFeature | undefined) ?? []),
    services(core) {
      const values: { readonly [name: string]: unknown } = core.features;
      const running: RunningHost = {
        ...host,
        core,
        redact: (text) => host.redactor.text(text),
        opened<const Of extends Needed>({ name }: Of): ValueOf<Of> {
          if (!(name in values)) throw new Error(`the service has no feature ${name}`);
          return values[name] as ValueOf<Of>;
        },
      };
      const services = made.map(({ feature, engine }) =>
        feature.services?.(engine === undefined ? undefined : values[engine.name], running),
      );
      return Object.assign({}, ...services) as Partial<OperatorServices>;
    },
    flags: () => Object.assign({}, ...all.map((feature) => feature.flags?.(host))) as BuiltFeatures,
  };
}
