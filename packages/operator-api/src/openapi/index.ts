export { type OpenApiDocument, openApiDocument } from "./openapi-document.ts";
export { openApi } from "./resource.ts";
