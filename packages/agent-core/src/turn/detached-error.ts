/**
 * The turn's loop lost its task: somebody else ended it (cancel, silence), or the process is going down and leaves it
 * for the next one. Not a failure; the loop just stops.
 */
export class DetachedError extends Error {
  override readonly name = "DetachedError";
  readonly code = "detached";
}
