export { ReleasingMap } from "./releasing-map.ts";
