export { inFeature } from "./in-feature.ts";
export { requireSections } from "./require-sections.ts";
export {
  type AnyServiceFeature,
  defineServiceFeature,
  type RunningHost,
  type ServiceFeature,
  type ServiceHost,
} from "./service-feature.ts";
