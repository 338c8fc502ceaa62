/** What the page shows, read from the service's OpenAPI document. What a document lacks is left out, nothing throws. */

/** Any JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/** A parameter: a value of a request outside its body. */
export interface Parameter {
  readonly name: string;
  readonly where: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A body of a request or response. */
export interface Content {
  readonly mediaType: string;
  readonly schema: JsonObject;
  readonly example: unknown;
}

/** One response. */
export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly content: Content | undefined;
}

/** One operation. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly answers: readonly Answer[];
}

/** The operations of one tag. */
export interface OperationGroup {
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** The whole reference. */
export interface Reference {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly groups: readonly OperationGroup[];
}

/** Longest chain of `$ref`s that is followed. */
const MAX_REFERENCES = 20;

/** Reads a document. */
export function readReference(document: unknown): Reference {
  const root = objectOf(document);
  const info = objectOf(root.info);
  const groups = new Map<string, Operation[]>();
  for (const [path, item] of Object.entries(objectOf(root.paths))) {
    for (const [method, operation] of Object.entries(objectOf(item))) {
      const read = operationOf(root, method, path, objectOf(operation));
      const tag = textOf(listOf(objectOf(operation).tags)[0]) || "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), read]);
    }
  }
  return {
    title: textOf(info.title),
    version: textOf(info.version),
    description: textOf(info.description),
    groups: [...groups]
      .map(([name, operations]) => ({ name, operations }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** The target of a `$ref` within the document. */
export function resolve(root: JsonObject, value: unknown): JsonObject {
  let found = objectOf(value);
  for (let step = 0; step < MAX_REFERENCES; step++) {
    const { $ref: reference } = found;
    if (typeof reference !== "string" || !reference.startsWith("#/")) return found;
    found = objectOf(
      reference
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => objectOf(at)[key], root),
    );
  }
  return found;
}

function operationOf(root: JsonObject, method: string, path: string, operation: JsonObject): Operation {
  return {
    id: textOf(operation.operationId) || `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    parameters: listOf(operation.parameters).map((one) => {
      const { name, in: where, required, description, schema } = resolve(root, one);
      return {
        name: textOf(name),
        where: textOf(where),
        required: required === true,
        description: textOf(description),
        schema: resolve(root, schema),
      };
    }),
    body: operation.requestBody === undefined ? undefined : contentOf(root, resolve(root, operation.requestBody)),
    answers: Object.entries(objectOf(operation.responses)).map(([status, answer]) => {
      const found = resolve(root, answer);
      return { status, description: textOf(found.description), content: contentOf(root, found) };
    }),
  };
}

function contentOf(root: JsonObject, { content }: JsonObject): Content | undefined {
  const [first] = Object.entries(objectOf(content));
  if (first === undefined) return undefined;
  const [mediaType, value] = first;
  const { schema, example, "x-event-data": eventData } = objectOf(value);
  return { mediaType, schema: resolve(root, eventData ?? schema), example };
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
