import * as v from "valibot";
import type { ApiContents } from "../resource/index.ts";
import { defineRoute, isMutation, json, type ServedRoute, serve } from "../route/index.ts";

const operationSchema = v.object({
  name: v.string(),
  mutates: v.pipe(v.boolean(), v.description("It changes something; false: it reads.")),
  summary: v.string(),
  method: v.string(),
  path: v.string(),
});

/** `GET /api/operations` (B41). */
export const listOperations = defineRoute({
  name: "operations.list",
  method: "GET",
  path: "/api/operations",
  tag: "Reference",
  summary: "Every operation of this API: its name, whether it changes something, what it does",
  reply: json(v.object({ operations: v.array(operationSchema) })),
});

/** Serves the catalogue of the whole API; it is made at the first request for it. */
export function operationsRoutes(api: ApiContents): readonly ServedRoute[] {
  let operations: readonly v.InferOutput<typeof operationSchema>[] | undefined;
  return [
    serve(listOperations, () => {
      operations ??= api
        .definitions()
        .map((one) => ({
          name: one.name,
          mutates: isMutation(one),
          summary: one.summary,
          method: one.method,
          path: one.path,
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return { operations };
    }),
  ];
}
