import { CodedError } from "../error/index.ts";

/** Why an entry was not added. `code` is stable. */
export class ExampleNoteError extends CodedError<"full"> {
  override readonly name = "ExampleNoteError";
}
