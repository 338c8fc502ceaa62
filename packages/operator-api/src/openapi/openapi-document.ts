import type { GenericSchema } from "valibot";
import { type JsonObject, jsonSchemaOf } from "../json-schema/index.ts";
import { listProblemSchema, objectProblemSchema, textProblemSchema } from "../problem/index.ts";
import { type Failure, MAX_PARAM, namesOf, type RouteDefinition } from "../route/index.ts";

/** An OpenAPI 3.1 document, as far as this package writes one. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: JsonObject;
  readonly paths: { readonly [path: string]: JsonObject };
  readonly [key: string]: unknown;
}

const describes = `The control plane of one agent and its host.

**Errors.** Every error body is \`{detail}\`: a text, a list of \`{loc, msg, type}\` (422), or an object with a \`code\`.
Show a text as it is, an object's \`message\` or \`reason\`, a list's first \`msg\`. A 500 carries an \`error_id\`; the
server's log has the cause under it.

**Lists** take \`limit\` and \`cursor\` and answer \`next_cursor\`, null at the end, newest first.

**Idempotency.** A POST may carry an \`Idempotency-Key\` of 1 to 255 characters. Within 24 hours the same request under the
same key is answered with the first one's answer and \`Idempotency-Replayed: true\`; a different request under it is refused
with 422. Refusals with 409, 429 and 5xx do not use a key up. Nor does a restart: a request that it cut off is carried out
when it comes again, and what it did already is not done twice.

**Streams** are server-sent events: frames with \`id\` and \`data\`, a comment every 15 seconds.`;

/** Text without control characters, for parts of a URL. */
const ONE_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

const shared = {
  Answered: ["The request under this `Idempotency-Key` was carried out; its answer is not kept.", textProblemSchema],
  Unauthenticated: [
    "No valid credential came; `WWW-Authenticate` and the text say what is accepted.",
    textProblemSchema,
  ],
  Forbidden: [
    "A federation credential, a Host, an Origin or another user of the machine that may not be here.",
    textProblemSchema,
  ],
  TooLarge: ["The body is larger than is taken.", textProblemSchema],
  NotJson: ["The body is not JSON.", textProblemSchema],
  NotParsed: ["The body is no JSON, or nests or holds more than is read.", textProblemSchema],
  Invalid: ["Values that do not fit; no value is repeated.", listProblemSchema],
  Busy: ["The store takes nothing right now; `Retry-After` says when to try again.", textProblemSchema],
  Internal: ["A fault of the server; `error_id` finds its cause in the log.", textProblemSchema],
} as const satisfies { readonly [name: string]: readonly [string, GenericSchema] };

/** The document of these definitions (O2). */
export function openApiDocument(definitions: readonly RouteDefinition[], version: string): OpenApiDocument {
  const paths: { [path: string]: { [method: string]: JsonObject } } = {};
  const inOrder = definitions.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const definition of inOrder) {
    const item = paths[definition.path] ?? {};
    item[definition.method.toLowerCase()] = operationOf(definition);
    paths[definition.path] = item;
  }
  const tags = [...new Set(definitions.map(({ tag }) => tag))].toSorted();
  return {
    openapi: "3.1.0",
    info: {
      title: "Agent Service: operator API",
      version,
      description: describes,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The operator's token. An instance without one is open.",
        },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      },
      schemas: {
        TextProblem: jsonSchemaOf(textProblemSchema, "output"),
        ListProblem: jsonSchemaOf(listProblemSchema, "output"),
        ObjectProblem: jsonSchemaOf(objectProblemSchema, "output"),
      },
      responses: Object.fromEntries(
        Object.entries(shared).map(([name, [description, schema]]) => [name, jsonResponse(description, schema)]),
      ),
    },
  };
}

function operationOf(definition: RouteDefinition): JsonObject {
  const { name, tag, summary, method, body, bodyOptional, upload, example } = definition;
  const parameters = parametersOf(definition);
  const description = descriptionOf(definition);
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(definition.public ? { security: [{}, { bearer: [] }, { apiKey: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: bodyOptional !== true,
            content: {
              "application/json": { schema: jsonSchemaOf(body, "input"), ...exampleOf(example?.body) },
              ...(upload === undefined ? {} : { "multipart/form-data": { schema: formSchema(body) } }),
              ...(upload?.alone === undefined ? {} : { [upload.alone]: {} }),
            },
          },
        }),
    responses: responsesOf(definition, method !== "GET" && method !== "DELETE"),
  };
}

/** The fields of a body and its file. */
function formSchema(body: GenericSchema): JsonObject {
  const fields = jsonSchemaOf(body, "input") as { readonly properties?: JsonObject };
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  return { type: "object", properties: { file, ...fields.properties } };
}

/** With who may not call it, which the definition says elsewhere. */
function descriptionOf({ description, decides }: RouteDefinition): string | undefined {
  if (decides === undefined) return description;
  const where = decides === true ? "" : `, where ${decides}`;
  const guarded = `On an instance without a credential other users of the machine get 403${where}.`;
  return description === undefined ? guarded : `${description} ${guarded}`;
}

function parametersOf({ path, params = {}, query, method }: RouteDefinition): readonly JsonObject[] {
  const inPath = namesOf(path).map((name) => ({
    name,
    in: "path",
    required: true,
    ...(params[name] === undefined ? {} : { description: params[name] }),
    schema: { type: "string", minLength: 1, maxLength: MAX_PARAM, pattern: ONE_LINE },
  }));
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
  return [...inPath, ...(query === undefined ? [] : queryParameters(query)), ...(method === "POST" ? [key] : [])];
}

function queryParameters(query: GenericSchema): readonly JsonObject[] {
  const { properties = {}, required = [] } = jsonSchemaOf(query, "input") as {
    properties?: { [name: string]: JsonObject };
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: typeof schema.default === "string" ? { ...schema, default: ofType(schema.type, schema.default) } : schema,
  }));
}

/** A query's default is a string, as all it holds; the document shows the value it means. */
function ofType(type: unknown, text: string): unknown {
  return type === "integer" ? Number(text) : type === "boolean" ? text === "true" : text;
}

function responsesOf(definition: RouteDefinition, hasBody: boolean): JsonObject {
  const { method, body, reply, acceptedWhen, emptyWhen, failures = {}, summary, example, idempotency } = definition;
  const storesAnswers = method === "POST" && idempotency !== "own";
  const answers: { [status: string]: JsonObject } = {};
  if (reply.kind === "json") answers[reply.status] = jsonResponse(summary, reply.schema, example?.reply);
  if (reply.kind === "empty") answers[204] = { description: "Done." };
  if (reply.kind === "media") {
    answers[200] = { description: summary, content: { [reply.contentType]: { schema: { type: "string" } } } };
  }
  if (reply.kind === "events") answers[200] = eventsResponse(summary, reply.schema);
  if (acceptedWhen !== undefined) answers[202] = jsonResponse(acceptedWhen.when, acceptedWhen.schema);
  if (emptyWhen !== undefined) answers[204] = { description: emptyWhen };
  for (const [status, failure] of Object.entries(failures)) answers[status] = failureResponse(failure);
  const reference = (name: keyof typeof shared): JsonObject => ({ $ref: `#/components/responses/${name}` });
  return {
    ...(definition.public ? {} : { 401: reference("Unauthenticated"), 403: reference("Forbidden") }),
    ...(hasBody ? { 413: reference("TooLarge"), 415: reference("NotJson") } : {}),
    ...(body === undefined ? {} : { 400: reference("NotParsed") }),
    ...(storesAnswers ? { 409: reference("Answered") } : {}),
    422: reference("Invalid"),
    500: reference("Internal"),
    503: reference("Busy"),
    ...answers,
  };
}

function failureResponse(failure: Failure): JsonObject {
  if (typeof failure !== "string") return jsonResponse(failure.description, failure.schema);
  const schema = { $ref: "#/components/schemas/TextProblem" };
  return { description: failure, content: { "application/json": { schema } } };
}

/** `itemSchema` is of OpenAPI 3.2; 3.1 describes a stream as text, so the schema of one frame's data is beside it. */
function eventsResponse(description: string, schema: GenericSchema): JsonObject {
  const text = { type: "string", description: "Server-sent events; `x-event-data` is the schema of each one's data." };
  return {
    description,
    content: { "text/event-stream": { schema: text, "x-event-data": jsonSchemaOf(schema, "output") } },
  };
}

function jsonResponse(description: string, schema: GenericSchema, example?: unknown): JsonObject {
  return {
    description,
    content: { "application/json": { schema: jsonSchemaOf(schema, "output"), ...exampleOf(example) } },
  };
}

function exampleOf(example: unknown): JsonObject {
  return example === undefined ? {} : { example };
}
