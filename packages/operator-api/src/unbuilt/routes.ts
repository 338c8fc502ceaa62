import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { json, namesOf, type RouteDefinition, type ServedRoute } from "../route/index.ts";
import { UNBUILT, type UnbuiltAnswer, type UnbuiltFeature } from "./table.ts";

const disabledProblem = v.object({ detail: v.object({ code: v.literal("disabled") }) });

/** The definitions of routes whose feature is not built (ruling O4), so that the document tells what they answer. */
export const unbuiltDefinitions: readonly RouteDefinition[] = UNBUILT.flatMap((feature) =>
  feature.routes.map(([method, path, answer]) => ({
    name: `${nameOf(path)}.${method.toLowerCase()}`,
    method,
    path,
    tag: feature.tag,
    summary: `Not in this build: ${answer.kind === "list" ? "answers an empty list" : `answers ${statusOf(answer)}`}`,
    description: `The feature \`${feature.feature}\` is not in this build.`,
    mutates: method !== "GET",
    reply: json(answer.kind === "list" ? listSchema(Object.keys(answer.fields)) : v.looseObject({})),
    ...failuresOf(feature, answer),
  })),
);

/** Serves them. */
export function unbuiltRoutes(): readonly ServedRoute[] {
  const answers = UNBUILT.flatMap((feature) => feature.routes.map(([, , answer]) => ({ feature, answer })));
  return unbuiltDefinitions.map((definition, at) => {
    const { feature, answer } = answers[at]!;
    return { definition, handle: () => answered(feature, answer) };
  });
}

function answered({ tag }: UnbuiltFeature, answer: UnbuiltAnswer): object {
  if (answer.kind === "list") return { enabled: false, ...answer.fields, next_cursor: null };
  if (answer.kind === "disabled") throw new Problem(404, { code: "disabled" });
  throw new Problem(503, `${tag}: this build does not have it.`);
}

function listSchema(fields: readonly string[]): v.GenericSchema {
  return v.object({
    enabled: v.literal(false),
    ...Object.fromEntries(fields.map((name) => [name, v.unknown()])),
    next_cursor: v.null(),
  });
}

function failuresOf({ tag }: UnbuiltFeature, answer: UnbuiltAnswer): Pick<RouteDefinition, "failures"> {
  if (answer.kind === "list") return {};
  if (answer.kind === "refused") return { failures: { 503: `${tag}: this build does not have it.` } };
  return { failures: { 404: { description: "The code pane is off.", schema: disabledProblem } } };
}

function statusOf(answer: UnbuiltAnswer): number {
  return answer.kind === "disabled" ? 404 : 503;
}

/** `/api/goals/{session_id}/rearm` is `goals.session_id.rearm`. */
function nameOf(path: string): string {
  return path
    .slice("/api/".length)
    .split("/")
    .map((part) => namesOf(part)[0] ?? part)
    .join(".");
}
