/** What a server shows as definitions within bounds (M1): it was written by others, so every field is looked at. */
import { isStorable } from "../../database/index.ts";
import type { JsonObject } from "../../json/index.ts";
import type {
  Definition,
  PromptArgument,
  PromptDefinition,
  TaskSupport,
  ToolDefinition,
  ToolHints,
} from "./definition.ts";
import { headerProblem } from "./header-parameters.ts";
import { withoutInvisible } from "./invisible-text.ts";

/** Tools, or prompts, of a server. */
export const MAX_DEFINITIONS = 1_024;
/** Bytes of a schema as JSON. */
export const MAX_SCHEMA_BYTES = 64 * 1024;
/** Characters of a description. */
export const MAX_DESCRIPTION_CHARS = 4_000;
/** Objects and lists inside of each other. */
const MAX_DEPTH = 64;
const MAX_NAME_CHARS = 200;
const MAX_TITLE_CHARS = 300;
const MAX_ARGUMENTS = 64;
/** Warnings of a list; the rest are a number. */
const MAX_WARNINGS = 20;

/** What was read, and what was left out of it, one sentence each. */
export interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  readonly warnings: readonly string[];
}

type Fields = { readonly [key: string]: unknown };
/** How one list is read. */
interface Reading {
  warn(message: string): void;
  /** Takes secrets out of a text before it is cut: a part of one that is left would not be found later. */
  redact(text: string): string;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads what a server listed. Never throws. Of two with one name the first counts. `redact` is for texts that have a bound
 * only; default: they stay as they are.
 */
export function readDefinitions(
  listed: { readonly tools?: readonly unknown[]; readonly prompts?: readonly unknown[] },
  redact: (text: string) => string = (text) => text,
): ReadDefinitions {
  const warnings: string[] = [];
  const reading: Reading = { warn: (message) => void warnings.push(message), redact };
  const definitions = [
    ...readList("tool", listed.tools ?? [], readTool, reading),
    ...readList("prompt", listed.prompts ?? [], readPrompt, reading),
  ];
  const more = warnings.length - MAX_WARNINGS;
  return { definitions, warnings: more > 0 ? [...warnings.slice(0, MAX_WARNINGS), `and ${more} more`] : warnings };
}

function readList<Read extends Definition>(
  kind: Read["kind"],
  listed: readonly unknown[],
  read: (raw: Fields, name: string, reading: Reading) => Read | undefined,
  reading: Reading,
): Read[] {
  const { warn } = reading;
  const found = new Map<string, Read>();
  let nameless = 0;
  let over = 0;
  for (const raw of listed) {
    const name = isFields(raw) && typeof raw.name === "string" ? raw.name : "";
    if (!isFields(raw) || name === "" || name.length > MAX_NAME_CHARS || !isStorable(name)) nameless++;
    else if (found.has(name)) warn(`${kind} ${shown(name, reading)} is listed twice; the first counts`);
    else if (found.size >= MAX_DEFINITIONS) over++;
    else {
      const definition = read(raw, name, reading);
      if (definition !== undefined) found.set(name, definition);
    }
  }
  if (nameless > 0) warn(`${nameless} of its ${kind}s are left out: no name of at most ${MAX_NAME_CHARS} characters`);
  if (over > 0) warn(`${over} of its ${kind}s are left out: a server has at most ${MAX_DEFINITIONS}`);
  return [...found.values()];
}

function shown(name: string, { redact }: Reading): string {
  const plain = withoutInvisible(redact(name)).replaceAll(/\s+/g, " ");
  return JSON.stringify(plain.length > 64 ? `${plain.slice(0, 63)}…` : plain);
}

function readTool(raw: Fields, name: string, reading: Reading): ToolDefinition | undefined {
  const annotations = isFields(raw.annotations) ? raw.annotations : {};
  const inputSchema = readSchema(raw.inputSchema ?? { type: "object" });
  const outputSchema = raw.outputSchema === undefined ? undefined : readSchema(raw.outputSchema);
  const problem =
    [inputSchema, outputSchema].find((schema) => typeof schema === "string") ??
    (isFields(inputSchema) && inputSchema.type !== "object" ? "is not one of an object" : headerProblem(inputSchema));
  if (problem !== undefined || typeof inputSchema !== "object") {
    reading.warn(`tool ${shown(name, reading)} is left out: its schema ${String(problem)}`);
    return undefined;
  }
  const title = readTitle(raw.title ?? annotations.title, reading);
  const taskSupport = readTaskSupport(raw.execution);
  return {
    ...{ kind: "tool", name, description: readDescription("tool", name, raw.description, reading), inputSchema },
    ...(title !== undefined && { title }),
    ...(typeof outputSchema === "object" && { outputSchema }),
    hints: readHints(annotations),
    ...(taskSupport !== undefined && { taskSupport }),
  };
}

function readPrompt(raw: Fields, name: string, reading: Reading): PromptDefinition {
  const { warn, redact } = reading;
  const listed: readonly unknown[] = Array.isArray(raw.arguments) ? raw.arguments : [];
  if (listed.length > MAX_ARGUMENTS) warn(`prompt ${shown(name, reading)} keeps ${MAX_ARGUMENTS} of its arguments`);
  const read = listed.slice(0, MAX_ARGUMENTS).flatMap((one): PromptArgument[] => {
    if (!isFields(one) || typeof one.name !== "string" || one.name === "" || one.name.length > MAX_NAME_CHARS)
      return [];
    const description =
      typeof one.description === "string" ? redact(one.description).slice(0, MAX_TITLE_CHARS) : undefined;
    return [{ name: one.name, required: one.required === true, ...(description !== undefined && { description }) }];
  });
  const title = readTitle(raw.title, reading);
  const description = readDescription("prompt", name, raw.description, reading);
  return { ...{ kind: "prompt", name, description, arguments: read }, ...(title !== undefined && { title }) };
}

function readTitle(title: unknown, { redact }: Reading): string | undefined {
  return typeof title === "string" && title !== "" ? redact(title).slice(0, MAX_TITLE_CHARS) : undefined;
}

function readDescription(kind: string, name: string, description: unknown, reading: Reading): string {
  if (typeof description !== "string") return "";
  const text = reading.redact(description);
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  reading.warn(
    `${kind} ${shown(name, reading)} keeps ${MAX_DESCRIPTION_CHARS} of the ${text.length} characters of its description`,
  );
  return text.slice(0, MAX_DESCRIPTION_CHARS);
}

function readHints(annotations: Fields): ToolHints {
  const names = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof annotations[name] === "boolean" ? [[name, annotations[name]]] : [])),
  );
}

function readTaskSupport(execution: unknown): TaskSupport | undefined {
  const support = isFields(execution) ? execution.taskSupport : undefined;
  return support === "optional" || support === "required" || support === "forbidden" ? support : undefined;
}

/** A schema as plain JSON, or what is wrong with it. */
function readSchema(schema: unknown): JsonObject | string {
  if (!isFields(schema)) return "is no object";
  if (depthOf(schema) > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH}`;
  let json: string;
  try {
    json = JSON.stringify(schema);
  } catch {
    return "is no JSON";
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_SCHEMA_BYTES) return `has ${bytes} bytes, and may have ${MAX_SCHEMA_BYTES}`;
  return JSON.parse(json) as JsonObject;
}

/** Level by level, so that no depth overflows the stack; one level beyond the bound is enough to know. */
function depthOf(root: object): number {
  let level: readonly object[] = [root];
  let depth = 0;
  while (level.length > 0 && depth <= MAX_DEPTH) {
    depth++;
    level = level.flatMap((one) => Object.values(one).filter((child) => typeof child === "object" && child !== null));
  }
  return depth;
}
