/** The verifier contract (G12): a check that says from outside of a conversation whether something holds. */
import type { GenericSchema, InferOutput } from "valibot";

/** What a running check is given. */
export interface VerifierContext {
  /** Aborted at the time limit and at shutdown. A check that ignores it is abandoned, and counts as failed. */
  readonly signal: AbortSignal;
  /** The host's clock. */
  now(): Date;
}

/** What a check found. A check that cannot tell throws instead. */
export interface Verdict {
  readonly met: boolean;
  /** A JSON value that was looked at: a watch on changes compares it. */
  readonly value?: unknown;
  /** One sentence. */
  readonly reason: string;
  /** What the verdict rests on. The host takes secrets out, keeps 8 KiB, and shows it as data. */
  readonly evidence: string;
}

/** What `defineVerifier` is given. */
export interface VerifierDefinition<Args extends GenericSchema> {
  /** Known as `<plugin>:<name>`: lower case letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** For the model and for people: what it checks. */
  readonly description: string;
  /** An object schema. Arguments are validated by it before the check begins. */
  readonly args: Args;
  /** Reads only: it may be called at any time, and again after a crash. */
  check(args: InferOutput<Args>, context: VerifierContext): Verdict | Promise<Verdict>;
}

/** A verifier of any arguments, as hosts keep it. */
export interface AnyVerifier {
  readonly name: string;
  readonly description: string;
  readonly args: GenericSchema;
  check(args: never, context: VerifierContext): Verdict | Promise<Verdict>;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Makes a verifier.
 * @throws TypeError for a name or description that no host takes
 */
export function defineVerifier<const Args extends GenericSchema>(
  definition: VerifierDefinition<Args>,
): VerifierDefinition<Args> {
  if (!NAME.test(definition.name)) {
    throw new TypeError("A verifier's name is 1 to 64 lower case letters, digits, _ and -, a letter or digit first.");
  }
  if (definition.description.trim() === "") throw new TypeError("A verifier needs a description.");
  return Object.freeze({ ...definition });
}
