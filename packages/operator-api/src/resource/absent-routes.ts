/**
 * What routes answer whose feature the build does not have (O4): lists are empty, everything else is refused, and
 * nothing looks as if it were there.
 */
import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { json, type Method, namesOf, type RouteDefinition, type ServedRoute } from "../route/index.ts";

type Empty = readonly never[] | { readonly [name: string]: never } | 0 | false | "" | null;

/** What an absent route answers. */
export type AbsentAnswer =
  /** 200: these fields beside `enabled: false` and `next_cursor: null`. */
  | { readonly kind: "list"; readonly fields: { readonly [name: string]: Empty } }
  /** 503. */
  | { readonly kind: "refused" }
  /** 404 with the code `disabled`, of a toolset that is off (B43). */
  | { readonly kind: "disabled" };

/** Routes that are specified and not built. */
export interface UnbuiltRoutes {
  /** The resource, for people. */
  readonly tag: string;
  readonly routes: readonly (readonly [method: Method, path: `/api/${string}`, answer: AbsentAnswer])[];
}

/** An empty list with these fields. */
export function emptyList(fields: { readonly [name: string]: Empty }): AbsentAnswer {
  return { kind: "list", fields };
}

/** A refusal with 503. */
export const refused: AbsentAnswer = { kind: "refused" };
/** A refusal with 404 and the code `disabled`. */
export const disabled: AbsentAnswer = { kind: "disabled" };

const disabledProblem = v.object({ detail: v.object({ code: v.literal("disabled") }) });

/** Serves routes that are not built. */
export function unbuiltRoutes(feature: string, { tag, routes }: UnbuiltRoutes): readonly ServedRoute[] {
  return routes.map(([method, path, answer]) => {
    const name = `${nameOf(path)}.${method.toLowerCase()}`;
    return absentRoute({ name, method, path, tag }, feature, answer);
  });
}

/** Serves routes that are built, in a build without their feature. */
export function absentRoutes(feature: string, definitions: readonly RouteDefinition[]): readonly ServedRoute[] {
  return definitions.map((definition) => {
    const { name, method, path, tag, params } = definition;
    const same = {
      name,
      method,
      path,
      tag,
      ...(params && { params }),
      ...(definition.public && { public: true as const }),
    };
    return absentRoute(same, feature, answerOfDefinition(definition));
  });
}

type RouteName = Pick<RouteDefinition, "name" | "method" | "path" | "tag" | "params" | "public">;

function absentRoute(route: RouteName, feature: string, answer: AbsentAnswer): ServedRoute {
  const { method, tag } = route;
  return {
    definition: {
      ...route,
      summary: `Not in this build: ${answer.kind === "list" ? "answers an empty list" : `answers ${statusOf(answer)}`}`,
      description: `The feature \`${feature}\` is not in this build.`,
      mutates: method !== "GET",
      reply: json(answer.kind === "list" ? listSchema(Object.keys(answer.fields)) : v.looseObject({})),
      ...failuresOf(tag, answer),
    },
    handle: () => answered(tag, answer),
  };
}

function answered(tag: string, answer: AbsentAnswer): object {
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

function failuresOf(tag: string, answer: AbsentAnswer): Pick<RouteDefinition, "failures"> {
  if (answer.kind === "list") return {};
  if (answer.kind === "refused") return { failures: { 503: `${tag}: this build does not have it.` } };
  return { failures: { 404: { description: "The code pane is off.", schema: disabledProblem } } };
}

function statusOf(answer: AbsentAnswer): number {
  return answer.kind === "disabled" ? 404 : 503;
}

/** The name of `/api/goals/{session_id}/rearm` is `goals.session_id.rearm`. */
function nameOf(path: string): string {
  return path
    .slice("/api/".length)
    .split("/")
    .map((part) => namesOf(part)[0] ?? part)
    .join(".");
}

/** A list is what answers with `next_cursor`; its other fields are empty by their schemas. */
function answerOfDefinition({ method, reply }: RouteDefinition): AbsentAnswer {
  if (method !== "GET" || reply.kind !== "json") return refused;
  const { entries = {} } = reply.schema as { readonly entries?: { readonly [name: string]: v.GenericSchema } };
  if (!("next_cursor" in entries)) return refused;
  const fields = Object.entries(entries).flatMap<[string, Empty]>(([name, { type }]) =>
    name === "enabled" || name === "next_cursor" || type === "optional" ? [] : [[name, emptyOf(type)]],
  );
  return emptyList(Object.fromEntries(fields));
}

function emptyOf(type: string): Empty {
  switch (type) {
    case "array":
      return [];
    case "object":
    case "record":
      return {};
    case "number":
      return 0;
    case "boolean":
      return false;
    case "string":
      return "";
    default:
      return null;
  }
}
