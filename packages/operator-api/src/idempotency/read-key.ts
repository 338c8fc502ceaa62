import { Problem } from "../problem/index.ts";

/** Characters a key has at most, on every surface. */
const MAX_CHARS = 255;

/** The `Idempotency-Key` of a request; undefined: it has none. @throws Problem 422 */
export function readKey(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key") ?? undefined;
  if (key === undefined || (key !== "" && key.length <= MAX_CHARS)) return key;
  throw keyProblem(`Expected 1 to ${MAX_CHARS} characters.`, "length");
}

export function keyProblem(msg: string, type: string): Problem {
  return new Problem(422, [{ loc: ["header", "Idempotency-Key"], msg, type }]);
}
