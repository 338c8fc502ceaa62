/** An error that is caught by its `code`, which is stable: whoever handles it reads neither its message nor its class. */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the same request may succeed later without any change. */
  get retryable(): boolean {
    return false;
  }
}
