/** Writing JSON-RPC 2.0 responses by concatenation: results arrive as JSON text and are not parsed or copied again. */

/** The error of a response. `data` is a JSON value, or undefined. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** Everything of a success response before its result. Append the result's JSON and `}`. */
export function resultPrefix(idJson: string): string {
  return `{"jsonrpc":"2.0","id":${idJson},"result":`;
}

/** A success response. `resultJson` is JSON text. */
export function resultEnvelope(idJson: string, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${idJson},"result":${resultJson}}`;
}

/** An error response; `data` only where the error has some that JSON can carry. */
export function errorEnvelope(idJson: string, error: ErrorObject): string {
  return `{"jsonrpc":"2.0","id":${idJson},"error":${errorJson(error)}}`;
}

function errorJson({ code, message, data }: ErrorObject): string {
  try {
    return JSON.stringify({ code, message, data });
  } catch {
    // Data comes from the host's code; a cycle in it must not cost the caller the answer.
    return JSON.stringify({ code, message });
  }
}
