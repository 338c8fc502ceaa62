import { defineResource } from "../resource/index.ts";
import { listOperations, operationsRoutes } from "./routes.ts";

/** The catalogue of operations. */
export const operations = defineResource({
  name: "operations",
  definitions: [listOperations],
  reference: operationsRoutes,
});
