export { modelLanes, models } from "./resource.ts";
export type { ModelLanesService, ModelsService } from "./routes.ts";
