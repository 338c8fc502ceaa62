import { defineResource } from "../resource/index.ts";
import { listOperations, operationsRoutes } from "./routes.ts";

export const operations = defineResource({
  name: "operations",
  definitions: [listOperations],
  reference: operationsRoutes,
});
