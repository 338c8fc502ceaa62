/** One violation of a rule: where, and what to do about it. */
export interface Violation {
  /** Path from the repository's root, with forward slashes. */
  readonly file: string;
  /** 1-based line, where the rule knows it. */
  readonly line?: number;
  /** One sentence for the person who has to fix it. */
  readonly message: string;
}

/** `path:line message`, as terminals and editors turn it into a link. */
export function formatViolation({ file, line, message }: Violation): string {
  return `${file}${line === undefined ? "" : `:${line}`}  ${message}`;
}
