export { shares } from "./feature.ts";
export type { SharedBlock, SharedCopy, ShareInclude } from "./shared-copy.ts";
export { type ShareRequest, Shares } from "./shares.ts";
export { SharesError } from "./shares-error.ts";
export { sharesSection } from "./shares-section.ts";
export type { Share, SharedPage } from "./shares-store.ts";
