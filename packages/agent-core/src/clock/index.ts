export type { Clock, Timer } from "./clock.ts";
export { systemClock } from "./clock.ts";
export { sleep } from "./sleep.ts";
