import {
  type AnyResource,
  type FeatureFlags,
  type FeatureNameOf,
  type ServicesOf,
  topicsOf,
  unbuiltRoutes,
} from "./resource/index.ts";
import * as resources from "./resources.ts";
import type { RouteDefinition } from "./route/index.ts";

/** One of the resources of the operator API. */
export type OperatorResource = (typeof resources)[keyof typeof resources];

/** The resources of the operator API, by name. */
export const operatorResources: readonly OperatorResource[] = Object.values(resources);

const all: readonly AnyResource[] = operatorResources;

/** One of the routes that are built. */
export type OperatorDefinition = OperatorResource["definitions"][number];

/** Every route that is built. The typed client follows from this list's type. */
export const operatorDefinitions: readonly OperatorDefinition[] = operatorResources.flatMap<OperatorDefinition>(
  ({ definitions }) => definitions,
);

/** Every route that is specified and not built (O4). */
export const unbuiltDefinitions: readonly RouteDefinition[] = all.flatMap(({ name, feature, unbuilt }) =>
  unbuilt === undefined ? [] : unbuiltRoutes(feature ?? name, unbuilt).map(({ definition }) => definition),
);

/** Every topic that the resources document. */
export const EVENT_TOPICS = topicsOf(all);

/** The services of the resources, by the resource's name. */
export type OperatorServices = ServicesOf<OperatorResource>;

/** A feature, as `features` of the runtime status names it. */
export type FeatureName = FeatureNameOf<OperatorResource>;

/** The features that a build has, and whether each is switched on. */
export type OperatorFeatures = FeatureFlags<FeatureName>;
