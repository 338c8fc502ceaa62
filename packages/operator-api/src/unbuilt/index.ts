export { unbuiltDefinitions, unbuiltRoutes } from "./routes.ts";
export { UNBUILT, type UnbuiltFeature } from "./table.ts";
