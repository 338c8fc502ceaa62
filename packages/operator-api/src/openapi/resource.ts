import { defineResource } from "../resource/index.ts";
import { openApiRoutes, readOpenApi } from "./routes.ts";

/** The API as an OpenAPI document. */
export const openApi = defineResource({
  name: "openApi",
  definitions: [readOpenApi],
  reference: openApiRoutes,
});
