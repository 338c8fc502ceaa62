/** Fields of a request that this agent does not serve: those that are refused, and those that are ignored (V1). */
import { badRequest } from "./api-error.ts";
import { type Fields, isFields } from "./content-parts.ts";

interface UnservedField {
  readonly param: string;
  /** Whether the value differs from what is done anyway. */
  asks(value: unknown): boolean;
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isSet = (value: unknown): boolean => value !== false;
const isLeftOpen = (value: unknown): boolean => value === "auto" || value === "none";

const OWN_TOOLS =
  "This agent runs tools of its own and cannot be made to call its caller's; response_format asks for an answer of a certain form.";

/** Fields without which the answer would be a wrong one. */
const REFUSED: readonly (UnservedField & { readonly why: string })[] = [
  { param: "n", asks: (value) => value !== 1, why: "One answer is given to a request." },
  { param: "tool_choice", asks: (value) => !isLeftOpen(value), why: OWN_TOOLS },
  { param: "function_call", asks: (value) => !isLeftOpen(value), why: OWN_TOOLS },
  { param: "logprobs", asks: isSet, why: "Probabilities of tokens are not available." },
  { param: "audio", asks: isSet, why: "Answers come as text." },
  {
    param: "modalities",
    asks: (value) => !Array.isArray(value) || value.some((one) => one !== "text"),
    why: "Answers come as text.",
  },
];

/** Fields that may be ignored: optional tools, and hints on style. */
const IGNORED: readonly UnservedField[] = [
  { param: "tools", asks: isFilled },
  { param: "functions", asks: isFilled },
  { param: "frequency_penalty", asks: (value) => value !== 0 },
  { param: "presence_penalty", asks: (value) => value !== 0 },
  { param: "logit_bias", asks: (value) => !isFields(value) || Object.keys(value).length > 0 },
  { param: "verbosity", asks: isSet },
  { param: "prediction", asks: isSet },
  { param: "web_search_options", asks: isSet },
];

/** Null is the same as absent. */
const askedFor = (body: Fields, { param, asks }: UnservedField): boolean => {
  const value = body[param];
  return value !== undefined && value !== null && asks(value);
};

/** The fields that are ignored, by name. @throws ApiError 400 for one that is refused */
export function unservedFields(body: Fields): readonly string[] {
  const refused = REFUSED.find((field) => askedFor(body, field));
  if (refused !== undefined) throw badRequest(refused.why, refused.param, "unsupported_parameter");
  return IGNORED.filter((field) => askedFor(body, field)).map(({ param }) => param);
}
