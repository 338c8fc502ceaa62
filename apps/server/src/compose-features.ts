/** Combines the service's features: the engine's parts, and the services for operators. It names no feature. */
import type { AgentCore, Needed, ValueOf } from "@agent-service/agent-core/host";
import type { OperatorFeatures, OperatorServices } from "@agent-service/operator-api";
import * as features from "./features.ts";
import {
  type AnyServiceFeature,
  inFeature,
  type RunningHost,
  requireSections,
  type ServiceHost,
} from "./service-feature/index.ts";
import { SECTIONS } from "./settings/index.ts";

type Listed = (typeof features)[keyof typeof features];
type EngineOf<F> = F extends { readonly engine?: (host: ServiceHost) => infer Feature } ? Feature : never;

export type ServiceEngineFeature = NonNullable<EngineOf<Listed>>;
export type ServiceCore = AgentCore<readonly ServiceEngineFeature[]>;

/** The services of all features of the list; `runtime` covers all of them. */
type ServedServices = Omit<OperatorServices, "runtime">;

export interface ComposedFeatures {
  readonly engine: readonly ServiceEngineFeature[];
  /** The context of the services, over the engine that opened their parts. */
  running(core: ServiceCore): RunningHost;
  services(host: RunningHost): ServedServices;
  /** Their part of the runtime status. */
  flags(): OperatorFeatures;
}

/** Creates every feature of the list, once. */
export function composeFeatures(host: ServiceHost): ComposedFeatures {
  const all = Object.entries(features as { readonly [name: string]: AnyServiceFeature });
  const made = all.map(([name, feature]) => {
    return { name, feature, engine: inFeature(name, "make its part of the engine", () => feature.engine?.(host)) };
  });
  const opening = made.flatMap(({ engine }) => (engine as ServiceEngineFeature | undefined) ?? []);
  requireSections(opening, SECTIONS);
  return {
    engine: opening,
    running(core) {
      const values: { readonly [name: string]: unknown } = core.features;
      return {
        ...host,
        core,
        redact: (text) => host.redactor.text(text),
        opened<const Of extends Needed>({ name }: Of): ValueOf<Of> {
          if (!(name in values)) throw new Error(`the service has no feature ${name}`);
          return values[name] as ValueOf<Of>;
        },
      };
    },
    services(running) {
      const { features: values }: { readonly features: { readonly [name: string]: unknown } } =
        running.core as ServiceCore;
      const services = made.map(({ name, feature, engine }) => {
        const opened = engine === undefined ? undefined : values[engine.name];
        return inFeature(name, "make its services", () => feature.services?.(opened, running));
      });
      return Object.assign({}, ...services) as ServedServices;
    },
    flags: () => Object.assign({}, ...all.map(([, feature]) => feature.flags?.(host))) as OperatorFeatures,
  };
}
