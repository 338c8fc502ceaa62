/**
 * An API made of resources.
 *
 * Invariants
 *  RC1  A resource is served over its service, or answers as O4 requires because the build lacks its feature. A feature
 *       without the service of its resource, and a service without its feature, are errors at start.
 *  RC2  What is defined is served, and what is served is defined; an operation has one name and one route.
 */
import { inMatchingOrder, mountRoute, type OperatorRoute, type RoutePorts, type ServedRoute } from "../route/index.ts";
import { absentRoutes, unbuiltRoutes } from "./absent-routes.ts";
import type {
  AnyResource,
  ApiContents,
  FeatureFlags,
  FeatureNameOf,
  FeatureStatus,
  ServicesOf,
} from "./define-resource.ts";
import { ResourceError } from "./resource-error.ts";

/** Resources with their services, and the flags of features. */
export interface MountOptions<R extends AnyResource> extends RoutePorts {
  readonly resources: readonly R[];
  readonly services: ServicesOf<R>;
  /** Called at the start, where what it names must have its services, and for every status. */
  readonly features: () => FeatureFlags<FeatureNameOf<R>>;
  /** Of the service; shown in the OpenAPI document. */
  readonly version: string;
}

/** The resources as rows for the service's route table, in the order a router must see them. @throws ResourceError */
export function mountResources<const R extends AnyResource>(options: MountOptions<R>): readonly OperatorRoute[] {
  const { resources, services, features, version, ...ports } = options;
  const flags: FeatureFlags = features();
  const api: ApiContents = {
    version,
    definitions: () => served.map(({ definition }) => definition),
    topics: topicsOf(resources.filter(({ feature }) => feature === undefined || flags[feature] !== undefined)),
    features: () => featureStatus(resources, features()),
  };
  const served = resources.flatMap((resource) =>
    routesOf(resource, (services as { readonly [name: string]: unknown })[resource.name], flags, api),
  );
  assertDistinct(resources, served);
  return inMatchingOrder(served.map((one) => mountRoute(one, ports)));
}

/** The topics of resources, by name. */
export function topicsOf(resources: readonly AnyResource[]): ApiContents["topics"] {
  return resources.flatMap(({ topics }) => topics).toSorted((a, b) => (a.topic < b.topic ? -1 : 1));
}

/** Whether the build has each feature that a resource names, and whether it is on. */
export function featureStatus(
  resources: readonly AnyResource[],
  flags: FeatureFlags,
): { readonly [feature: string]: FeatureStatus } {
  const names = [...new Set(resources.flatMap(({ feature }) => feature ?? []))].toSorted();
  return Object.fromEntries(
    names.map((name) => [name, { available: flags[name] !== undefined, enabled: flags[name] === true }]),
  );
}

function routesOf(
  resource: AnyResource,
  service: unknown,
  flags: FeatureFlags,
  api: ApiContents,
): readonly ServedRoute[] {
  const { name, feature, definitions, unbuilt } = resource;
  const isThere = feature === undefined || flags[feature] !== undefined;
  if (unbuilt !== undefined && definitions.length === 0 && feature !== undefined && isThere)
    throw new ResourceError("resource.not_built", name, `is not built, but its feature ${feature} is in the build`);
  const missing = unbuilt === undefined ? [] : unbuiltRoutes(feature ?? name, unbuilt);
  if (resource.reference !== undefined) return [...complete(resource, resource.reference(api)), ...missing];
  if (resource.routes === undefined) return missing;
  if (service !== undefined) {
    if (!isThere)
      throw new ResourceError(
        "resource.no_feature",
        name,
        `has a service, but its feature ${feature} is not in the build`,
      );
    return [...complete(resource, resource.routes(service, api)), ...missing];
  }
  if (feature === undefined || isThere)
    throw new ResourceError("resource.no_service", name, "has no service, but the build has its feature");
  return [...absentRoutes(feature, definitions), ...missing];
}

/** The routes, if they are those of the definitions (RC2). */
function complete({ name, definitions }: AnyResource, routes: readonly ServedRoute[]): readonly ServedRoute[] {
  const served = new Set(routes.map(({ definition }) => definition.name));
  const defined = new Set(definitions.map((definition) => definition.name));
  for (const one of defined)
    if (!served.has(one)) throw new ResourceError("resource.unserved", name, `does not serve ${one}`);
  for (const one of served)
    if (!defined.has(one))
      throw new ResourceError("resource.undefined_route", name, `serves ${one}, which it does not define`);
  return routes;
}

function assertDistinct(resources: readonly AnyResource[], served: readonly ServedRoute[]): void {
  const seen = new Set<string>();
  const add = (key: string, what: string): void => {
    if (seen.has(key)) throw new ResourceError("resource.duplicate", what, "is there twice");
    seen.add(key);
  };
  for (const { name } of resources) add(`resource ${name}`, name);
  for (const { definition } of served) {
    add(`operation ${definition.name}`, definition.name);
    add(`${definition.method} ${definition.path}`, `${definition.method} ${definition.path}`);
  }
}
