export { faultOf, type ValueFault } from "./check-value.ts";
export { closestName } from "./closest-name.ts";
export { isOptional, keysOf, objectEntries, objectListItem, type SectionKey, unwrap } from "./schema-shape.ts";
export { type ConfigValues, isSecret, isSecurity, type Section, type SettingMetadata } from "./section.ts";
export { verifySection } from "./verify-section.ts";
