export { firstOf } from "./first-of.ts";
export { inParallel } from "./in-parallel.ts";
export { ReleasingMap } from "./releasing-map.ts";
