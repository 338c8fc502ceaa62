export { PartPage, type PartPageProps } from "./part-page.tsx";
export { FirstPart } from "./part-tabs.tsx";
export type { Part } from "./parts-for.ts";
export { useSearchValue } from "./use-search-value.ts";
