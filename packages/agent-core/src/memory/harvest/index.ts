export { harvestCost } from "./harvest-price.ts";
export { harvestRoles } from "./harvest-tasks.ts";
export type { Harvests } from "./harvests.ts";
export { openHarvests } from "./open-harvests.ts";
