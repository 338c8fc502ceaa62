/** The details of an error in 1.0, beside its number and text (A2A 1.0.1 "Errors", A4). */
import type { A2AError } from "../error/index.ts";

/** One `google.rpc` message in its JSON form. */
export interface ErrorDetail {
  readonly "@type": string;
  readonly [field: string]: unknown;
}

const TYPES = "type.googleapis.com/google.rpc.";

/**
 * The `data` of a JSON-RPC error and the `details` of an HTTP+JSON one: an ErrorInfo, and for parameters that do not
 * fit a BadRequest with the field.
 */
export function errorDetails({ reason = "INTERNAL_ERROR", message, data }: A2AError): readonly ErrorDetail[] {
  const metadata = stringsOf(data);
  const info = { "@type": `${TYPES}ErrorInfo`, reason, domain: "a2a-protocol.org", ...(metadata && { metadata }) };
  if (reason !== "INVALID_PARAMS") return [info];
  const [, field = "params", description = message] = /^([\w.-]+): (.*)$/s.exec(message) ?? [];
  return [info, { "@type": `${TYPES}BadRequest`, fieldViolations: [{ field, description }] }];
}

/** ErrorInfo's metadata is a map of strings. */
function stringsOf(data: unknown): { readonly [name: string]: string } | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]));
}
