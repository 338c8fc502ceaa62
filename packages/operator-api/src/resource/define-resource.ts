import type { RouteDefinition, ServedRoute } from "../route/index.ts";
import type { UnbuiltRoutes } from "./absent-routes.ts";

/** A topic of `GET /api/events`, for people and for the OpenAPI document. */
export interface EventTopic {
  readonly topic: string;
  /** What has happened when it is published. */
  readonly when: string;
  /** Members of its data. */
  readonly data: string;
}

/** Whether the build has a feature, and whether it is switched on. */
export interface FeatureStatus {
  readonly available: boolean;
  readonly enabled: boolean;
}

/** What the whole API holds, for the resources that describe it. */
export interface ApiContents {
  /** Of the service. */
  readonly version: string;
  /** Of every route that is served. To be called once all resources are mounted: at a request, not before. */
  definitions(): readonly RouteDefinition[];
  /** Of the resources whose feature the build has. */
  readonly topics: readonly EventTopic[];
  /** Every feature that a resource names. */
  features(): { readonly [feature: string]: FeatureStatus };
}

/** What a resource is defined by. Only `name` is required. */
export interface ResourceOptions<
  Name extends string,
  Feature extends string | undefined,
  Definitions extends readonly RouteDefinition[],
  Service,
> {
  /** Of its service in the services that the API is given. */
  readonly name: Name;
  /**
   * The feature that brings it, as in `features` of the runtime status; several resources may name the same one. Absent:
   * every build has the resource.
   */
  readonly feature?: Feature;
  readonly definitions?: Definitions;
  /** Topics that its feature publishes. */
  readonly topics?: readonly EventTopic[];
  /** Serves each of `definitions` over the service. */
  readonly routes?: (service: Service, api: ApiContents) => readonly ServedRoute[];
  /** In place of `routes`, for a resource that reads the API itself and needs no service. */
  readonly reference?: (api: ApiContents) => readonly ServedRoute[];
  /** Routes that are specified and not built. */
  readonly unbuilt?: UnbuiltRoutes;
}

/** A part of the operator API: what operators see of a feature. Made by `defineResource`. */
export interface Resource<
  Name extends string,
  Feature extends string | undefined,
  Definitions extends readonly RouteDefinition[],
  Service,
> {
  readonly name: Name;
  readonly feature: Feature;
  readonly definitions: Definitions;
  readonly topics: readonly EventTopic[];
  readonly unbuilt: UnbuiltRoutes | undefined;
  routes?(service: Service, api: ApiContents): readonly ServedRoute[];
  reference?(api: ApiContents): readonly ServedRoute[];
}

/** Any resource. Its functions are methods, so a resource over any service is one. */
export interface AnyResource {
  readonly name: string;
  readonly feature: string | undefined;
  readonly definitions: readonly RouteDefinition[];
  readonly topics: readonly EventTopic[];
  readonly unbuilt: UnbuiltRoutes | undefined;
  routes?(service: unknown, api: ApiContents): readonly ServedRoute[];
  reference?(api: ApiContents): readonly ServedRoute[];
}

/** The service of a resource; `never` for one without. */
export type ServiceOf<R> =
  R extends Resource<string, string | undefined, readonly RouteDefinition[], infer Service>
    ? unknown extends Service
      ? never
      : Service
    : never;

type WithService<R> = R extends unknown ? ([ServiceOf<R>] extends [never] ? never : R) : never;
type OfFeature<R> = R extends { readonly feature: string } ? R : never;

/** The services of resources, by the resource's name. One may be left out only with the feature that brings it. */
export type ServicesOf<R extends AnyResource> = {
  readonly [One in Exclude<WithService<R>, OfFeature<R>> as One["name"]]: ServiceOf<One>;
} & { readonly [One in OfFeature<WithService<R>> as One["name"]]?: ServiceOf<One> };

/** The features that resources name. */
export type FeatureNameOf<R extends AnyResource> = NonNullable<R["feature"]>;

/** The features that a build has, and whether each is switched on. One that is not named is not in the build. */
export type FeatureFlags<Name extends string = string> = { readonly [One in Name]?: boolean };

/** Defines a resource; its service's type follows from `routes`. */
export function defineResource<
  const Name extends string,
  const Feature extends string | undefined = undefined,
  const Definitions extends readonly RouteDefinition[] = readonly [],
  Service = unknown,
>(options: ResourceOptions<Name, Feature, Definitions, Service>): Resource<Name, Feature, Definitions, Service> {
  const { feature, definitions = [], topics = [], unbuilt } = options;
  // What is left out has the type of its absence.
  const given = { feature, definitions } as { feature: Feature; definitions: Definitions };
  return { ...options, ...given, topics, unbuilt };
}
