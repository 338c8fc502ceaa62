/**
 * Why a save was refused. Nothing was written.
 *
 * - `managed`: the folder cannot be written (O6).
 * - `revision`: the file is not the one the change was made for (O6).
 * - `busy`: another save held the file all the time; trying again may help.
 * - `broken`: a file is no acceptable YAML, or grew too large; `message` names file and line.
 * - `unwritable`: the change holds what no configuration file can, such as a key `constructor`.
 * - `misplaced-secret`: secrets never go into the host layer (B51 `providers`, rule 1).
 */
export type SaveErrorCode = "managed" | "revision" | "busy" | "broken" | "unwritable" | "misplaced-secret";

/** A save that was refused. `message` is one line for its operator, without any secret. */
export class ConfigSaveError extends Error {
  override readonly name = "ConfigSaveError";
  readonly code: SaveErrorCode;

  constructor(code: SaveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
