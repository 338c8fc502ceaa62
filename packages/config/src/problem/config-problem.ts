import { describeProvenance, type Provenance } from "../provenance/index.ts";

/**
 * Stable kinds of what can be wrong with a configuration.
 *
 * - `unreadable`, `syntax`: a file that cannot be read, or is not acceptable YAML. Always refuses.
 * - `wrong-value`: refuses in security sections and for secrets, else the default is used (S8).
 * - `unknown-key`, `unknown-section`: most likely a typing error; ignored.
 * - `reserved-section`: known, but its feature is not part of this release; ignored.
 * - `left-out`: an entry of a list that cannot be used.
 * - `misplaced-secret`, `misplaced-value`: written in a layer that may not hold it.
 * - `open-permissions`: the secrets overlay can be read by others.
 */
export type ConfigProblemCode =
  | "unreadable"
  | "syntax"
  | "wrong-value"
  | "unknown-key"
  | "unknown-section"
  | "reserved-section"
  | "left-out"
  | "misplaced-secret"
  | "misplaced-value"
  | "open-permissions";

/** One finding. `message` is one line that names file and line (or variable, or flag) and key, and holds no secret. */
export interface ConfigProblem {
  readonly code: ConfigProblemCode;
  readonly message: string;
  /** Dotted key, when the finding is about one. */
  readonly key?: string;
  readonly from?: Provenance;
}

/** Where findings go: an error refuses the configuration, a warning does not. */
export interface ProblemSink {
  error(problem: ConfigProblem): void;
  warn(problem: ConfigProblem): void;
}

/** Makes a finding whose line reads `<where>: <key>: <text>`. */
export function problemAt(code: ConfigProblemCode, from: Provenance, key: string, text: string): ConfigProblem {
  const shownKey = oneLine(key, 120);
  return { code, from, key, message: `${describeProvenance(from)}: ${shownKey === "" ? "" : `${shownKey}: `}${text}` };
}

/** Text from outside made fit for one line of a log: no control characters, at most `limit` characters. */
export function oneLine(text: string, limit = 160): string {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1)}…`;
}
