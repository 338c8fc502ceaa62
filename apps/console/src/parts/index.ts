export { FirstPart, PartTabs } from "./part-tabs.tsx";
export { type Part, partsFor } from "./parts-for.ts";
export { useSearchValue } from "./use-search-value.ts";
