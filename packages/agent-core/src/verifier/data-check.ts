/** Checks by what a file of a project holds. */
import { type Fence, FenceRefusal } from "../fence/index.ts";
import { EVIDENCE_BYTES } from "./evidence.ts";
import type { Expressions } from "./expressions.ts";
import type { CheckRun, PreparedCheck, RawVerdict } from "./prepared-check.ts";
import type { SpecOf } from "./verifier-spec.ts";

const MAX_BYTES = 10 * 1024 * 1024;
/** Characters shown on each side of what was found. */
const AROUND = 200;

/** @throws VerifierError verifier.failed @throws FenceRefusal where the file cannot be read, but for a missing one */
export async function dataCheck(
  { fence, expressions }: { readonly fence: Fence; readonly expressions: Expressions },
  { spec, project }: PreparedCheck & { readonly spec: SpecOf<"data"> },
  { signal }: CheckRun,
): Promise<RawVerdict> {
  const text = await readText(fence, project, spec.path);
  if (text === undefined) return { met: false, reason: "The file does not exist.", evidence: spec.path, value: null };
  return lookInto(text, spec, { expressions, signal });
}

/** What a text holds: a part of it, or what an expression over its JSON finds. @throws VerifierError verifier.failed */
export async function lookInto(
  text: string,
  { contains, expr }: { readonly contains?: string | undefined; readonly expr?: string | undefined },
  { expressions, signal }: { readonly expressions: Expressions; readonly signal: AbortSignal },
): Promise<RawVerdict> {
  if (expr !== undefined) {
    const { met, value } = await expressions.evaluate(expr, text, signal);
    const reason = met ? "The expression holds." : "The expression does not hold.";
    return { met, reason, evidence: value.slice(0, EVIDENCE_BYTES), value };
  }
  const at = text.indexOf(contains ?? "");
  if (at === -1)
    return { met: false, reason: "The text is not in it.", evidence: `${text.length} characters`, value: false };
  const evidence = text.slice(Math.max(0, at - AROUND), at + (contains ?? "").length + AROUND);
  return { met: true, reason: "The text is in it.", evidence, value: true };
}

async function readText(fence: Fence, project: string, path: string): Promise<string | undefined> {
  try {
    await using located = await fence.open({ project, path, for: "read" });
    return (await located.read(MAX_BYTES)).toString("utf8");
  } catch (error) {
    if (error instanceof FenceRefusal && error.code === "fence.missing") return undefined;
    throw error;
  }
}
