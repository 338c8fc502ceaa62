export { type BuiltFeatures, FEATURE_NAMES, featuresOf } from "./feature-flags.ts";
export {
  type AnyServiceFeature,
  defineServiceFeature,
  type RunningHost,
  type ServiceFeature,
  type ServiceHost,
} from "./service-feature.ts";
