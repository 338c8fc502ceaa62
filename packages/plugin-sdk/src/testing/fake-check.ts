/** A check as a host makes it, for the tests of a verifier: arguments as they are stored, and nothing but JSON comes back. */
import { getDotPath, safeParse } from "valibot";
import type { AnyVerifier, Verdict } from "../verifier/index.ts";

/** How a check is made. */
export interface FakeCheckOptions {
  /** What `now()` returns. Default 2026-01-01T00:00:00Z. */
  readonly now?: Date;
  /** Default: never aborted. */
  readonly signal?: AbortSignal;
}

/** The outcome of a check. */
export type FakeCheck =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  /** The arguments do not fit the schema; the check was not made. */
  | { readonly kind: "invalid"; readonly message: string }
  /** It threw: the host counts that as no verdict, and neither as met nor as unmet. */
  | { readonly kind: "threw"; readonly error: unknown };

/** Makes a check with arguments as somebody would write them in JSON. */
export async function fakeCheck(
  verifier: AnyVerifier,
  args: unknown,
  { now = new Date(Date.UTC(2026, 0)), signal = new AbortController().signal }: FakeCheckOptions = {},
): Promise<FakeCheck> {
  const parsed = safeParse(verifier.args, JSON.parse(JSON.stringify(args ?? {})));
  if (!parsed.success) {
    const message = parsed.issues.map((issue) => `${getDotPath(issue) ?? "arguments"}: ${issue.message}`).join("; ");
    return { kind: "invalid", message };
  }
  try {
    const verdict = await verifier.check(parsed.output as never, { signal, now: () => now });
    return { kind: "verdict", verdict: JSON.parse(JSON.stringify(verdict)) as Verdict };
  } catch (error) {
    return { kind: "threw", error };
  }
}
