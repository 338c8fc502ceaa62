export { checkSectionNames } from "./check-names.ts";
export type { ConfigTexts, FileLayer, FlagValue, Layers } from "./layers.ts";
export { resolveListSection } from "./resolve-list-section.ts";
export { defaultsOf, type ResolvedSection, resolveMapSection } from "./resolve-map-section.ts";
