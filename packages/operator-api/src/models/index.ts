export { modelLanes, models } from "./resource.ts";
export type { ConnectionProblem, ModelLanesService, ModelsService } from "./routes.ts";
