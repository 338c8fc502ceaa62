export {
  type AbsentAnswer,
  disabled,
  emptyList,
  refused,
  type UnbuiltRoutes,
  unbuiltRoutes,
} from "./absent-routes.ts";
export {
  type AnyResource,
  type ApiContents,
  defineResource,
  type EventTopic,
  type FeatureFlags,
  type FeatureNameOf,
  type FeatureStatus,
  type Resource,
  type ResourceOptions,
  type ServiceOf,
  type ServicesOf,
} from "./define-resource.ts";
export { featureStatus, type MountOptions, mountResources, topicsOf } from "./mount-resources.ts";
export { ResourceError, type ResourceErrorCode } from "./resource-error.ts";
