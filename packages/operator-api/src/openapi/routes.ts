import * as v from "valibot";
import { defineRoute, json, type RouteDefinition, type ServedRoute, serve } from "../route/index.ts";
import { openApiDocument } from "./openapi-document.ts";

/** `GET /api/openapi.json`. */
export const readOpenApi = defineRoute({
  name: "reference.openapi",
  method: "GET",
  path: "/api/openapi.json",
  tag: "Reference",
  summary: "This API as an OpenAPI 3.1 document",
  reply: json(v.looseObject({ openapi: v.string(), info: v.looseObject({}), paths: v.looseObject({}) })),
});

/** Serves the document of `served()`; it is made when first asked for. */
export function openApiRoutes(served: () => readonly RouteDefinition[], version: string): readonly ServedRoute[] {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return [serve(readOpenApi, () => (document ??= openApiDocument(served(), version)))];
}
