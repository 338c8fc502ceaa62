export { shares } from "./resource.ts";
export type { ShareRow, SharesService, ShareTarget } from "./routes.ts";
