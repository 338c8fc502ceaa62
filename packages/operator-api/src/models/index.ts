export { findLocalModels, listModels, type ModelsService, modelsRoutes, readLanes, testModel } from "./routes.ts";
