export { watch } from "./feature.ts";
export {
  FIRE_KINDS,
  type FireKind,
  WATCH_LIMITS,
  WATCH_STATUSES,
  type Watch,
  type WatchFire,
  type WatchStatus,
} from "./watch.ts";
export { WatchError, type WatchErrorCode } from "./watch-error.ts";
export type { NewWatch, WatchChange } from "./watch-request.ts";
export { type WatchesSectionValue, watchesSection } from "./watch-section.ts";
export type { Watches } from "./watches.ts";
export type { ShownWatch } from "./watches-parts.ts";
