export { TOLD_KINDS, URGENT_KINDS, urgencyOf } from "./told-events.ts";
