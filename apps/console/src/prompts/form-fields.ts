/** Controls for a JSON Schema. The agent wrote the schema, so anything may be in it. */

type Schema = { readonly [key: string]: unknown };

/** One field of a form. */
export interface FormField {
  /** Path of its value in the answer: `["address", "zip"]`. */
  readonly path: readonly string[];
  readonly label: string;
  readonly hint: string | undefined;
  /** Its heading: the titles of the objects around it. */
  readonly group: string | undefined;
  readonly required: boolean;
  readonly control:
    | { readonly kind: "text"; readonly long: boolean; readonly input: "text" | "email" | "url" | "date" | "password" }
    | { readonly kind: "number"; readonly whole: boolean }
    | { readonly kind: "switch" }
    | { readonly kind: "choice"; readonly options: readonly Option[] }
    | { readonly kind: "choices"; readonly options: readonly Option[] }
    | { readonly kind: "list" }
    | { readonly kind: "json" };
  /** The bounds that are checked here; the service checks all others. */
  readonly bounds: {
    readonly least?: number;
    readonly most?: number;
    readonly shortest?: number;
    readonly longest?: number;
  };
  readonly fallback: unknown;
}

/** A value that can be chosen. */
export interface Option {
  readonly value: unknown;
  readonly label: string;
}

const MOST_DEPTH = 3;
const FORMATS = { email: "email", uri: "url", url: "url", date: "date", password: "password" } as const;

/** The fields of a step's schema, in its order. A type without a control of its own is entered as JSON. */
export function formFields(schema: Schema): readonly FormField[] {
  return fieldsIn(schema, { path: [], group: undefined, required: true, defaults: schema.default });
}

interface Parent {
  readonly path: readonly string[];
  readonly group: string | undefined;
  readonly required: boolean;
  readonly defaults: unknown;
}

function fieldsIn(schema: Schema, at: Parent): readonly FormField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(isSchema(schema.properties) ? schema.properties : {}).flatMap(([name, given]) => {
    const field = isSchema(given) ? given : {};
    const path = [...at.path, name];
    const needed = at.required && required.includes(name);
    const label = text(field.title) ?? labelOf(name);
    const inherited = isSchema(at.defaults) && Object.hasOwn(at.defaults, name) ? at.defaults[name] : undefined;
    const fallback = field.default ?? inherited;
    if (typeOf(field) === "object" && isSchema(field.properties) && path.length < MOST_DEPTH) {
      const group = at.group === undefined ? label : `${at.group}, ${label}`;
      return fieldsIn(field, { path, group, required: needed, defaults: fallback });
    }
    return [
      {
        ...{ path, label, hint: text(field.description), group: at.group, required: needed, fallback },
        ...{ control: controlOf(field), bounds: boundsOf(field) },
      },
    ];
  });
}

function controlOf(field: Schema): FormField["control"] {
  const options = optionsOf(field);
  if (options !== undefined) return { kind: "choice", options };
  switch (typeOf(field)) {
    case "string": {
      const format = typeof field.format === "string" ? field.format : "";
      const input = Object.hasOwn(FORMATS, format) ? FORMATS[format as keyof typeof FORMATS] : "text";
      return { kind: "text", input, long: format === "textarea" || Number(field.maxLength) > 200 };
    }
    case "integer":
    case "number":
      return { kind: "number", whole: typeOf(field) === "integer" };
    case "boolean":
      return { kind: "switch" };
    case "array": {
      const items = isSchema(field.items) ? field.items : {};
      const several = optionsOf(items);
      if (several !== undefined) return { kind: "choices", options: several };
      return typeOf(items) === "string" ? { kind: "list" } : { kind: "json" };
    }
    default:
      return { kind: "json" };
  }
}

/** The values of `enum`, or of `oneOf` and `anyOf` where each is a `const`. */
function optionsOf(field: Schema): readonly Option[] | undefined {
  if (Array.isArray(field.enum)) {
    const names = Array.isArray(field.enumNames) ? field.enumNames : [];
    return field.enum.map((value: unknown, index) => ({ value, label: text(names[index]) ?? shown(value) }));
  }
  const variants: unknown = field.oneOf ?? field.anyOf;
  if (!Array.isArray(variants) || !variants.every((one) => isSchema(one) && Object.hasOwn(one, "const"))) return;
  return (variants as readonly Schema[]).map((one) => ({
    value: one.const,
    label: text(one.title) ?? shown(one.const),
  }));
}

function boundsOf(field: Schema): FormField["bounds"] {
  const number = (...names: readonly string[]): number | undefined =>
    names.map((name) => field[name]).find((value): value is number => typeof value === "number");
  const [least, most] = [number("minimum"), number("maximum")];
  const [shortest, longest] = [number("minLength", "minItems"), number("maxLength", "maxItems")];
  return {
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(shortest !== undefined && { shortest }),
    ...(longest !== undefined && { longest }),
  };
}

/** The type, or of several the one that is not null. */
function typeOf({ type, properties }: Schema): string | undefined {
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.find((one): one is string => typeof one === "string" && one !== "null");
  return isSchema(properties) ? "object" : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `first_name` and `firstName` as `First name`. */
function labelOf(name: string): string {
  const label = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return label === "" ? name : label.charAt(0).toUpperCase() + label.slice(1);
}
