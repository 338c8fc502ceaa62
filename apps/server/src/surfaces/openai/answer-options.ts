/** Options of an answer: sampling, stop sequences, its schema (V1). */
import {
  REASONING_EFFORTS,
  type ReasoningEffort,
  type StructuredSkill,
  schemaProblem,
  type TurnSampling,
} from "@agent-service/agent-core/host";
import { badRequest } from "./api-error.ts";
import { type Fields, isFields } from "./content-parts.ts";

/** In the engine's form; absent: the agent's own. */
export interface AnswerOptions {
  readonly sampling?: TurnSampling;
  readonly stop?: readonly string[];
  readonly skill?: StructuredSkill;
}

const MAX_STOPS = 4;
const MAX_STOP_CHARS = 256;
/** Characters of a schema: it is stored with the task and sent with each of its model calls. */
const MAX_SCHEMA_CHARS = 256 * 1024;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

interface NumberField {
  readonly param: string;
  readonly name: Exclude<keyof TurnSampling, "reasoningEffort">;
  readonly minimum: number;
  readonly maximum: number;
  readonly isInteger?: true;
}

/** The later of two fields for the same value wins. */
const NUMBERS: readonly NumberField[] = [
  { param: "temperature", name: "temperature", minimum: 0, maximum: 2 },
  { param: "top_p", name: "topP", minimum: 0, maximum: 1 },
  { param: "max_tokens", name: "maxTokens", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, isInteger: true },
  { param: "max_completion_tokens", name: "maxTokens", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, isInteger: true },
  {
    param: "seed",
    name: "seed",
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    isInteger: true,
  },
];

function numberOf(value: unknown, { param, minimum, maximum, isInteger }: NumberField): number {
  const isNumber = isInteger === true ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isNumber && (value as number) >= minimum && (value as number) <= maximum) return value as number;
  const kind = isInteger === true ? "an integer" : "a number";
  const bound =
    maximum === Number.MAX_SAFE_INTEGER
      ? minimum < 0
        ? ""
        : ` of at least ${minimum}`
      : ` from ${minimum} to ${maximum}`;
  throw badRequest(`Expected ${kind}${bound}.`, param);
}

function samplingOf(body: Fields): TurnSampling | undefined {
  const given = NUMBERS.filter(({ param }) => isGiven(body[param]));
  const reasoningEffort = effortOf(body.reasoning_effort);
  if (given.length === 0 && reasoningEffort === undefined) return undefined;
  const numbers = Object.fromEntries(given.map((field) => [field.name, numberOf(body[field.param], field)]));
  return { ...numbers, ...(reasoningEffort === undefined ? {} : { reasoningEffort }) };
}

function effortOf(value: unknown): ReasoningEffort | undefined {
  if (!isGiven(value)) return undefined;
  const effort = REASONING_EFFORTS.find((one) => one === value);
  if (effort === undefined) throw badRequest(`Expected one of ${REASONING_EFFORTS.join(", ")}.`, "reasoning_effort");
  return effort;
}

function stopOf(value: unknown): readonly string[] | undefined {
  if (!isGiven(value)) return undefined;
  const stops = Array.isArray(value) ? value : [value];
  if (stops.length > MAX_STOPS) throw badRequest(`At most ${MAX_STOPS} stop sequences are taken.`, "stop");
  const isStop = (stop: unknown): stop is string =>
    typeof stop === "string" && stop !== "" && stop.length <= MAX_STOP_CHARS && stop.isWellFormed();
  if (!stops.every(isStop)) throw badRequest(`A stop sequence is a text of 1 to ${MAX_STOP_CHARS} characters.`, "stop");
  return stops.length === 0 ? undefined : stops;
}

const PARAM = "response_format";

/** The schema of any object: for `json_object`, and for a `json_schema` without constraints. */
const ANY_OBJECT = { type: "object" };

function schemaOf(format: Fields): Fields {
  if (format.type === "json_object") return ANY_OBJECT;
  const param = `${PARAM}.json_schema`;
  if (!isFields(format.json_schema)) throw badRequest("Expected an object with a schema.", param);
  const { schema = ANY_OBJECT } = format.json_schema;
  if (!isFields(schema)) throw badRequest("Expected a JSON Schema object.", `${param}.schema`);
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS)
    throw badRequest(`A schema has at most ${MAX_SCHEMA_CHARS} characters.`, `${param}.schema`);
  const problem = schemaProblem(schema);
  if (problem !== undefined)
    throw badRequest(`The schema cannot be used: ${problem}.`, `${param}.schema`, "invalid_schema");
  return schema;
}

function formatOf(format: unknown): StructuredSkill | undefined {
  if (!isGiven(format)) return undefined;
  if (!isFields(format)) throw badRequest("Expected an object.", PARAM);
  if (format.type === "text") return undefined;
  if (format.type !== "json_object" && format.type !== "json_schema")
    throw badRequest("A response format is text, json_object or json_schema.", `${PARAM}.type`);
  return { resultMime: "application/json", outputSchema: schemaOf(format) };
}

/** Reads the options of the answer. @throws ApiError 400 naming the field that does not fit */
export function readAnswerOptions(body: Fields): AnswerOptions {
  const sampling = samplingOf(body);
  const stop = stopOf(body.stop);
  const skill = formatOf(body.response_format);
  return {
    ...(sampling === undefined ? {} : { sampling }),
    ...(stop === undefined ? {} : { stop }),
    ...(skill === undefined ? {} : { skill }),
  };
}
