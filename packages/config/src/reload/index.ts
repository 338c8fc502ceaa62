export { type WatchOptions, type WatchTimers, watchConfig } from "./watch-config.ts";
