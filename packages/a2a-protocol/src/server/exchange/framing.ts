/** The envelope of an answer: JSON-RPC's, or none. */
import type { A2AError } from "../../error/index.ts";
import { errorEnvelope, resultEnvelope, resultPrefix } from "../../json-rpc/index.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { restErrorText } from "./rest-error.ts";

/** How answers are put: in which version, and in which envelope. */
export interface Framing {
  /** The caller's JSON-RPC id as JSON text; undefined: HTTP+JSON, which has no envelope. */
  readonly idJson: string | undefined;
  readonly dialect: Dialect;
}

/** A result in its envelope. */
export function resultText({ idJson }: Framing, resultJson: string): string {
  return idJson === undefined ? resultJson : resultEnvelope(idJson, resultJson);
}

/** The text before and after the result of a stream's event. */
export function resultEnds({ idJson }: Framing): readonly [before: string, after: string] {
  return idJson === undefined ? ["", ""] : [resultPrefix(idJson), "}"];
}

/** An error in its envelope, as one line. */
export function errorText({ idJson, dialect }: Framing, error: A2AError): string {
  if (idJson === undefined) return restErrorText(dialect, error);
  const { code, message } = error;
  return errorEnvelope(idJson, { code, message, data: dialect.errorData(error) });
}
