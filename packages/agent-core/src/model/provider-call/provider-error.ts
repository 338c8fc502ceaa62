import { ModelError, type ModelErrorCode } from "../model-error.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { asObject, asText } from "./wire.ts";

const SNIPPET_CHARS = 300;
/** Shorter "keys" are placeholders such as `x`; taking them out would only garble the message. */
const MIN_SECRET_CHARS = 4;
const MAX_DEPTH = 4;
const MAX_LISTED = 5;

/** The connection that an error is about. */
export interface ErrorOrigin {
  /** The name that errors show. */
  readonly name: string;
  /** Values that must not appear in an error, whatever the provider echoes. */
  readonly secrets: readonly string[];
}

/** The error of an answer with an error status. `body`: its beginning. */
export function statusError(
  origin: ErrorOrigin,
  answer: { readonly status: number; readonly body: string; readonly retryAfterMs?: number | undefined },
): ModelError {
  const message = bodyMessage(answer.body);
  return new ModelError(codeOf(answer.status, message), describe(origin, `answered ${answer.status}`, message), {
    status: answer.status,
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
  });
}

/** The error of an error object sent inside an answer that began well. */
export function inStreamError(origin: ErrorOrigin, error: unknown): ModelError {
  const wire = asObject(error);
  const message = messageOf(error);
  const label = `${asText(wire?.type)} ${asText(wire?.code)} ${asText(wire?.status)}`;
  const status = statusOf(wire) ?? statusByLabel(label);
  const code = isContextOverflow(`${label} ${message}`) ? "context_overflow" : codeOf(status ?? 500, message);
  return new ModelError(
    code,
    describe(origin, "reported an error in its stream", message || label.trim()),
    status === undefined ? {} : { status },
  );
}

/** The beginning of an unexpected text, safe to show: one line, bounded, no secret. */
export function snippet(origin: ErrorOrigin, text: string): string {
  let clean = text;
  for (const secret of origin.secrets) if (secret.length >= MIN_SECRET_CHARS) clean = clean.replaceAll(secret, "***");
  clean = clean
    .replace(/\bBearer\s+\S+/gi, "Bearer ***")
    .replace(/\b(?:sk|pk|rk|gsk|xai|key)-[A-Za-z0-9_*.-]{4,}/g, "***")
    .replace(/\s+/g, " ")
    .trim();
  return clean.length > SNIPPET_CHARS ? `${clean.slice(0, SNIPPET_CHARS)}…` : clean;
}

function describe(origin: ErrorOrigin, what: string, message: string): string {
  const shown = snippet(origin, message);
  return shown === "" ? `${origin.name} ${what}` : `${origin.name} ${what}: ${shown}`;
}

function codeOf(status: number, message: string): ModelErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limited";
  if (status === 408) return "timeout";
  // Some servers answer an overflow with 500, so the wording goes before the status.
  if (isContextOverflow(message) || status === 413) return "context_overflow";
  if (status >= 500) return "upstream";
  if (status === 404 || isUnknownModel(message)) return "unknown_model";
  if (status >= 400) return "bad_request";
  return "bad_response";
}

function isUnknownModel(message: string): boolean {
  return /model_not_found|(?:unknown|invalid|no such) model|model\b.{0,80}\b(?:not found|does not exist|not exist|is not available)/i.test(
    message,
  );
}

/** The message of an error body: from the known JSON fields, else the text itself. */
function bodyMessage(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  const wire = asObject(parsed);
  if (wire === undefined) return Array.isArray(parsed) ? messageOf(asObject(parsed[0])?.error ?? parsed[0]) : body;
  const found = messageOf(wire.error ?? wire.detail ?? wire);
  return found === "" ? body : found;
}

/** The message of an error value. A few levels deep is all that any provider nests; more is not followed. */
function messageOf(error: unknown, depth = 0): string {
  if (typeof error === "string") return error;
  if (depth === MAX_DEPTH) return "";
  const inner = (value: unknown): string => messageOf(value, depth + 1);
  if (Array.isArray(error)) return error.slice(0, MAX_LISTED).map(inner).join("; ");
  const wire = asObject(error);
  if (wire === undefined) return "";
  const message = [wire.message, wire.msg, wire.detail, wire.error].map(inner).find((text) => text !== "") ?? "";
  // A code such as `context_length_exceeded` is clearer than many messages.
  const code = asText(wire.code) || asText(wire.type);
  return code !== "" && !message.includes(code) ? `${message} (${code})`.trim() : message;
}

function statusOf(wire: { readonly [key: string]: unknown } | undefined): number | undefined {
  for (const value of [wire?.code, wire?.status, wire?.status_code]) {
    const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof status === "number" && status >= 400 && status < 600) return status;
  }
  return undefined;
}

function statusByLabel(label: string): number | undefined {
  if (/rate_limit|quota|too_many/i.test(label)) return 429;
  if (/overloaded|unavailable/i.test(label)) return 503;
  if (/authentication|permission|invalid_api_key/i.test(label)) return 401;
  if (/not_found/i.test(label)) return 404;
  if (/invalid_request/i.test(label)) return 400;
  return undefined;
}
