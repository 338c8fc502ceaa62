import { CodedError } from "../error/index.ts";

/** What is wrong with a model connection or a model value as configured. Codes are stable. */
const CODES = [
  /** The connection's address is missing, or not an http(s) URL. */
  "invalid_base_url",
  /** A key or header holds characters that cannot travel in a header. */
  "invalid_header",
  /** A subscription without a token (R9). */
  "no_credential",
  /** The connection's type is not one this version serves. */
  "unsupported_connection",
  /** Two connections share an id, or an id is not a slug. */
  "invalid_connection_id",
  /** A bare model name, but no `compat-gateway` connection to send it to (R13). */
  "no_gateway",
  /** No model is named. */
  "no_model",
] as const;

export type ModelConfigErrorCode = (typeof CODES)[number];

/** A model cannot be reached because of how it is configured. No call was made; another attempt changes nothing. */
export class ModelConfigError extends CodedError<ModelConfigErrorCode> {
  override readonly name = "ModelConfigError";
}

const UNAVAILABLE: ReadonlySet<string> = new Set([...CODES, "lane_timeout"].map((code) => `model_${code}`));

/**
 * Whether a turn failed with this code because no model could be called: its configuration is to be mended, or its lane
 * was full for too long. Surfaces answer 503 (B30).
 */
export function isModelUnavailable(failureCode: string): boolean {
  return UNAVAILABLE.has(failureCode);
}
