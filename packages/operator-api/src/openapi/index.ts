export { type OpenApiDocument, openApiDocument } from "./openapi-document.ts";
export { openApiRoutes, readOpenApi } from "./routes.ts";
