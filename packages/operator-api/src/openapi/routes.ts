import * as v from "valibot";
import type { ApiContents } from "../resource/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";
import { openApiDocument } from "./openapi-document.ts";

export const readOpenApi = defineRoute({
  name: "reference.openapi",
  method: "GET",
  path: "/api/openapi.json",
  tag: "Reference",
  summary: "This API as an OpenAPI 3.1 document",
  reply: json(v.looseObject({ openapi: v.string(), info: v.looseObject({}), paths: v.looseObject({}) })),
});

/** Serves the document of the whole API; it is made at the first request for it. */
export function openApiRoutes(api: ApiContents): readonly ServedRoute[] {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return [serve(readOpenApi, () => (document ??= openApiDocument(api.definitions(), api.version)))];
}
