export { type EngineBounds, engineBounds } from "./engine-bounds.ts";
export { type EngineParts, engineOptions } from "./engine-options.ts";
export { storeError } from "./store-error.ts";
export { MOST_SHOWN_TOOLS } from "./tool-settings.ts";
