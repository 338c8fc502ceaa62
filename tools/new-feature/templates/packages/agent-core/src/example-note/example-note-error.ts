/** Why an entry was not added. `code` is stable. */
export class ExampleNoteError extends Error {
  override readonly name = "ExampleNoteError";
  readonly code: "full";

  constructor(code: "full", message: string) {
    super(message);
    this.code = code;
  }
}
