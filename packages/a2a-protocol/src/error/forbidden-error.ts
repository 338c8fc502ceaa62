/** A refusal by the host's own rules of access, separate from protocol errors because none of them means it. */

/** This caller may not do this. Nothing was accepted. On the wire: HTTP 403 with `{detail}`, on any binding (A4). */
export class ForbiddenError extends Error {
  override readonly name = "ForbiddenError";
  readonly code = "forbidden";
}
