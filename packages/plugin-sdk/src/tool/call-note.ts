/** Bytes of a note as JSON. */
export const MAX_CALL_NOTE_BYTES = 64 * 1024;

/** A note that was not kept: it is no JSON value, it is too large, or the call does not run. */
export class CallNoteError extends Error {
  override readonly name = "CallNoteError";
  readonly code: "tool.note-not-json" | "tool.note-too-large" | "tool.note-not-running";

  constructor(code: CallNoteError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The JSON of a note, for hosts. @throws CallNoteError when it cannot be kept */
export function callNoteJson(note: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(note);
  } catch (cause) {
    throw new CallNoteError("tool.note-not-json", "A note has to be a JSON value.", { cause });
  }
  if (json === undefined) throw new CallNoteError("tool.note-not-json", "A note has to be a JSON value.");
  const bytes = new TextEncoder().encode(json).byteLength;
  if (bytes <= MAX_CALL_NOTE_BYTES) return json;
  const message = `A note has at most ${MAX_CALL_NOTE_BYTES} bytes as JSON; this one has ${bytes}.`;
  throw new CallNoteError("tool.note-too-large", message);
}

/** What `keep` of a call that does not run does. */
export function keepNothing(): Promise<void> {
  const message = "A note can be kept only while the call runs.";
  return Promise.reject(new CallNoteError("tool.note-not-running", message));
}
