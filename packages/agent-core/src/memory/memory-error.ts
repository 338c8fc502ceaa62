export type MemoryErrorCode = "unknown_session" | "damaged";

/** Why a summary cannot be read, for people. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  readonly code: MemoryErrorCode;

  constructor(code: MemoryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
